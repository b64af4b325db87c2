import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';

/** Whether there is a `redis-server` to start. */
export function hasRedisServer(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Shown by tests that need one. */
export const NO_REDIS =
  'There is no redis-server on this machine, so limits shared by many processes were not tested. Install one: apt-get install -y redis-server';

/** A Redis of our own, on a port of 127.0.0.1, that keeps nothing on disk. */
export class RedisServer {
  readonly port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  /** Finds a port, and by default starts the server. */
  static async create({ start = true } = {}): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    if (start) await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server without data. */
  async start(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#process = spawn('redis-server', args, { stdio: 'ignore' });
    const client = this.client({ retryStrategy: () => 20 });
    await client.ping();
    client.disconnect();
  }

  /** Kills the server; its data is lost. */
  async stop(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process?.exitCode !== null) return;
    const gone = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGKILL');
    await gone;
  }

  /** Stops replying without closing connections, like a machine that hangs. */
  hang(): void {
    this.#process?.kill('SIGSTOP');
  }

  /** Continues after `hang`. */
  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  /** A client for it; the caller disconnects it. */
  client(options: { retryStrategy?: () => number } = {}): Redis {
    const client = new Redis({ port: this.port, host: '127.0.0.1', maxRetriesPerRequest: null, ...options });
    client.on('error', () => undefined);
    return client;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
