import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';

/** A command that takes permits, or one that sets when a permit is returned. */
export type CommandName = 'acquire' | 'returnIn';

/** How they look on the wire: an empty previous id and a count; or a script with three keys and five arguments. */
const SIGNS: Readonly<Record<CommandName, RegExp>> = {
  acquire: /\$0\r\n\r\n\$\d+\r\n[1-9]\d*\r\n/,
  returnIn: /(^|\n)\*11\r\n\$\d+\r\neval/,
};

/** The two directions: commands to Redis, and its replies. */
export type Way = 'commands' | 'replies';

/** Decides what happens to data that passes: calling `pass` forwards it. */
type Fate = (text: string, way: Way, pass: () => void) => void;

const passOn: Fate = (_text, _way, pass) => pass();

/** A proxy between a process and Redis that can lose commands and replies. */
export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #fate = passOn;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens, and forwards everything to that port and back. */
  static async to(port: number): Promise<Relay> {
    const server = createServer();
    const relay = new Relay(server);
    server.on('connection', (socket) => relay.#join(socket, connect(port, '127.0.0.1')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  /** The port it listens on. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** A client that reaches Redis through here; the caller disconnects it. */
  client(): Redis {
    const client = new Redis({ port: this.port, host: '127.0.0.1', maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    return client;
  }

  /** Loses all commands, or all replies, from the next such command until `cut`. Resolves at the first lost one. */
  loseFrom(command: CommandName, lost: Way): Promise<void> {
    return this.#from(command, lost, () => undefined);
  }

  /**
   * Holds all commands, or all replies, from the next such command on. Resolves at the first, with a function that forwards
   * them.
   */
  async keepBackFrom(command: CommandName, way: Way = 'replies'): Promise<() => void> {
    const kept: (() => void)[] = [];
    await this.#from(command, way, (pass) => kept.push(pass));
    return () => {
      this.#fate = passOn;
      for (const pass of kept) pass();
    };
  }

  /** Cuts the connections at the nth command or reply from now, which is lost. Resolves then. */
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

  /** Cuts the connections. Later connections lose nothing. */
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
    this.#pass(far, near, 'replies');
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
