import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PostgresDatabase } from '../../src/entries/journal/index.ts';
import { closedPort } from './ports.ts';

/** The part of a pool of pg that the tests use. */
export interface Pool extends PostgresDatabase {
  connect(): Promise<PostgresDatabase & { release(): void }>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  end(): Promise<void>;
}

type PoolClass = new (options: { connectionString: string; max?: number }) => Pool;

const peer = fileURLToPath(new URL('../peers/postgres/package.json', import.meta.url));

/** The folder of the programs of Postgres: on the path, or in Debian's folder. Undefined without an installation. */
function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env.PATH ?? '').split(':'), ...versions.map((one) => `${debian}/${one}/bin`)];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
}

/** The user that runs the server, because it refuses to run as root. */
export function findUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function loadPool(): PoolClass | undefined {
  try {
    return (createRequire(peer)('pg') as { Pool: PoolClass }).Pool;
  } catch {
    return undefined;
  }
}

/** The reason why tests have no Postgres; undefined if they have one. */
export function missingPostgres(): string | undefined {
  if (findPrograms() === undefined)
    return 'There is no Postgres on this machine: apt-get install -y postgresql';
  if (!loadPool()) return 'pg is not installed: node test/peers/install.mjs postgres';
  return undefined;
}

/** A Postgres for tests, on a port of 127.0.0.1, in a folder that is deleted at the end. */
export class PostgresServer {
  readonly port: number;
  readonly #programs: string;
  readonly #user = findUser();
  readonly #folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  readonly #pools: Pool[] = [];
  #process: ChildProcess | undefined;

  private constructor(port: number, programs: string) {
    this.port = port;
    this.#programs = programs;
  }

  /** Creates a cluster, and starts the server. */
  static async create(): Promise<PostgresServer> {
    const server = new PostgresServer(await closedPort(), findPrograms() ?? '');
    const { uid, gid } = server.#user ?? {};
    if (uid !== undefined && gid !== undefined) chownSync(server.#folder, uid, gid);
    const words = ['--auth=trust', '--username=test', '--encoding=UTF8', '--no-sync', '-D', server.#data];
    execFileSync(join(server.#programs, 'initdb'), words, { ...server.#user, stdio: 'ignore' });
    await server.start();
    return server;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  /** Its address, for a user of it. */
  url(user = 'test'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/postgres`;
  }

  /** Starts the server with its earlier data. */
  async start(): Promise<void> {
    const words = ['-D', this.#data, '-p', String(this.port), '-h', '127.0.0.1', '-k', this.#folder];
    const settings = ['-c', 'max_connections=200'];
    const stdio = process.env.POSTGRES_LOG === undefined ? 'ignore' : 'inherit';
    this.#process = spawn(join(this.#programs, 'postgres'), [...words, ...settings], {
      ...this.#user,
      stdio,
    });
    const pool = this.pool();
    for (;;) {
      const isThere = await pool.query('SELECT 1').then(
        () => true,
        () => false,
      );
      if (isThere) return;
      if (this.#process.exitCode !== null)
        throw new Error('Postgres did not start: set POSTGRES_LOG=1 to see its log');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends the server like a crash (`SIGQUIT`): its connections break, and committed data survives. */
  async crash(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process?.exitCode !== null) return;
    const gone = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGQUIT');
    await gone;
  }

  /** Connections to it, which `close` ends. */
  pool(max = 10, user?: string): Pool {
    const Pool = loadPool();
    if (!Pool) throw new Error(missingPostgres());
    const pool = new Pool({ connectionString: this.url(user), max });
    // pg reports broken idle connections as errors of the pool.
    pool.on('error', () => undefined);
    this.#pools.push(pool);
    return pool;
  }

  /** Ends the server, and deletes its folder. */
  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
    await this.crash();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
