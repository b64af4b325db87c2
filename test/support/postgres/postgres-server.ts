import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { closedPort } from '../ports.ts';

/** Where Debian has the programs of a server, newest version first. They are not on the path there. */
const DEBIAN = '/usr/lib/postgresql';

/** The folder with the programs of a server, if there is one. */
function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
}

/** Whether there is a Postgres to start. */
export const hasPostgresServer = (): boolean => findPrograms() !== undefined;

/** Shown by tests that need one. */
export const NO_POSTGRES =
  'There is no Postgres on this machine, so journals shared by many processes were not tested. Install one: apt-get install -y postgresql';

/** The user that runs the server: it refuses to be run by root. */
function account(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A Postgres of our own, in a temporary folder and on a port of 127.0.0.1. */
export class PostgresServer {
  readonly port: number;
  readonly #programs: string;
  readonly #folder: string;
  readonly #account = account();
  #process: ChildProcess | undefined;

  private constructor(programs: string, port: number) {
    this.#programs = programs;
    this.port = port;
    this.#folder = mkdtempSync(join(tmpdir(), 'email-platform-postgres-'));
    if (this.#account) chownSync(this.#folder, this.#account.uid, this.#account.gid);
  }

  /** Makes an empty database, and starts the server. */
  static async create(): Promise<PostgresServer> {
    const programs = findPrograms();
    if (programs === undefined) throw new Error(NO_POSTGRES);
    const server = new PostgresServer(programs, await closedPort());
    const words = ['--pgdata', server.#folder, '--username', 'postgres', '--auth', 'trust', '--no-sync'];
    execFileSync(join(programs, 'initdb'), [...words, '--encoding', 'UTF8', '--locale', 'C'], {
      ...server.#account,
      cwd: server.#folder,
      stdio: 'ignore',
    });
    await server.start();
    return server;
  }

  /** Its address, without a password. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Starts the server with the data that it had. Resolves once it accepts connections. */
  async start(): Promise<void> {
    const words = ['-D', this.#folder, '-p', String(this.port), '-c', 'listen_addresses=127.0.0.1'];
    const child = spawn(join(this.#programs, 'postgres'), [...words, '-c', 'unix_socket_directories='], {
      ...this.#account,
      cwd: this.#folder,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      said.push(line);
      if (!line.includes('ready to accept connections')) continue;
      // What it says later has to be read, too, or it would wait.
      child.stderr.resume();
      return;
    }
    throw new Error(`Postgres did not start:\n${said.join('\n')}`);
  }

  /**
   * Ends every process of the server at once, as a crash does: what was committed is there when it starts again, and
   * nothing else.
   */
  async crash(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGQUIT');
    await gone;
  }

  /** Ends the server; its data is lost. */
  async stop(): Promise<void> {
    await this.crash();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
