import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';

/** What a process tells Redis: that it wants permits, or when one comes back. */
export type CommandName = 'acquire' | 'settle';

/** How it looks on the wire: no connection before and a number of permits; or a script with one key and two arguments. */
const SIGNS: Readonly<Record<CommandName, RegExp>> = {
  acquire: /\$0\r\n\r\n\$\d+\r\n[1-9]\d*\r\n/,
  settle: /(^|\n)\*6\r\n\$\d+\r\neval/,
};

/** What passes: commands to Redis, and its answers to what it did. */
export type Way = 'commands' | 'answers';

/** What becomes of something that passes. */
type Fate = (text: string, way: Way, pass: () => void) => void;

const passOn: Fate = (_text, _way, pass) => pass();

/** Stands between a process and Redis, and loses what passes when it is told to. */
export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #fate = passOn;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens, and passes everything on to that port and back. */
  static async to(port: number): Promise<Relay> {
    const server = createServer();
    const relay = new Relay(server);
    server.on('connection', (socket) => relay.#join(socket, connect(port, '127.0.0.1')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  /** Where it listens. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** A client that reaches Redis through here; the caller disconnects it. */
  client(): Redis {
    const client = new Redis({ port: this.port, host: '127.0.0.1', maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    return client;
  }

  /** From the next such command on all commands, or all answers, are lost until the cut. Resolves at the first. */
  loseFrom(command: CommandName, lost: Way): Promise<void> {
    return this.#from(command, lost, () => undefined);
  }

  /** From the next such command on all answers are kept back. Resolves at the first, with how to pass them on. */
  async keepBackFrom(command: CommandName): Promise<() => void> {
    const kept: (() => void)[] = [];
    await this.#from(command, 'answers', (pass) => kept.push(pass));
    return () => {
      this.#fate = passOn;
      for (const pass of kept) pass();
    };
  }

  /** The nth command or answer from now is lost, and the connections with it. Resolves then. */
  cutAt(nth: number, lost: Way): Promise<void> {
    return new Promise((resolve) => {
      let count = 0;
      this.#fate = (_, way, pass) => {
        if (way === lost) count += 1;
        if (count < nth) {
          pass();
          return;
        }
        this.cut();
        resolve();
      };
    });
  }

  /** Cuts the connections. Nothing is lost on those that come later. */
  cut(): void {
    this.#fate = passOn;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #from(command: CommandName, affected: Way, affect: (pass: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      let hasBegun = false;
      this.#fate = (text, way, pass) => {
        hasBegun ||= way === 'commands' && SIGNS[command].test(text);
        if (!hasBegun || way !== affected) {
          pass();
          return;
        }
        affect(pass);
        resolve();
      };
    });
  }

  #join(near: Socket, far: Socket): void {
    this.#pass(near, far, 'commands');
    this.#pass(far, near, 'answers');
  }

  #pass(from: Socket, to: Socket, way: Way): void {
    this.#sockets.add(from);
    from.on('data', (data) => {
      this.#fate(data.toString('latin1'), way, () => {
        if (!to.destroyed) to.write(data);
      });
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
