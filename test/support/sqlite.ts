/** The libraries of SQLite that the tests of journals use, behind the part that they share. */
import { createRequire } from 'node:module';
import type { SqliteDatabase, SqliteStatement } from '../../src/entries/journal/index.ts';
import { isBusy } from '../../src/entries/journal/sqlite-database.ts';
import type { Database as WasmDatabase, Statement as WasmStatement } from 'node-sqlite3-wasm';

/** `node-sqlite3-wasm` is SQLite as WebAssembly, for a Node without node:sqlite: it needs only `npm ci`. */
export type DatabaseName = 'node:sqlite' | 'better-sqlite3' | 'better-sqlite3-13' | 'node-sqlite3-wasm';

/** A database of any of the libraries, as far as the tests use it. */
export interface Database extends SqliteDatabase {
  function(name: string, options: { varargs: boolean }, call: (...values: unknown[]) => unknown): unknown;
  close(): void;
}

export type DatabaseClass = new (file: string) => Database;

/** In a bundled program, `import.meta.url` is that of the program, which is elsewhere in `test`. */
const require = createRequire(import.meta.url.replace(/(.*\/test\/).*/, '$1peers/sqlite/package.json'));

/** The class of a library. Throws if the library is not installed, or if this Node does not have it. */
export function sqliteClass(name: DatabaseName): DatabaseClass {
  if (name === 'node-sqlite3-wasm') return WasmSqlite;
  // That major is for Node 22 and later.
  const required = require(
    name === 'better-sqlite3-13' ? '../newer-node/node_modules/better-sqlite3-13' : name,
  ) as unknown;
  return name === 'node:sqlite'
    ? (required as { DatabaseSync: DatabaseClass }).DatabaseSync
    : (required as DatabaseClass);
}

const BUSY_TIMEOUT = /^PRAGMA busy_timeout = (\d+)$/;
/** The wait before the next try for a lock. */
const LOCK_POLL_MS = 5;

/**
 * SQLite as WebAssembly, with the methods of the other libraries. It locks a file with a folder beside it, so processes
 * exclude each other. It does not roll back a transaction in which its process was killed, and it has no WAL. Its own
 * wait for a lock is a loop that never sleeps, so this class waits in its place.
 */
class WasmSqlite implements Database {
  readonly #database: WasmDatabase;
  readonly #statements: WasmStatement[] = [];
  #busyMs = 0;

  constructor(file: string) {
    const { Database } = require('node-sqlite3-wasm') as {
      readonly Database: new (file: string) => WasmDatabase;
    };
    this.#database = new Database(file);
  }

  exec(sql: string): void {
    const [, busyMs] = BUSY_TIMEOUT.exec(sql) ?? [];
    if (busyMs !== undefined) this.#busyMs = Number(busyMs);
    else this.#patiently(() => this.#database.exec(sql));
  }

  prepare(sql: string): SqliteStatement {
    const statement = withCode(() => this.#database.prepare(sql));
    this.#statements.push(statement);
    const all = (...values: (string | number)[]) => this.#patiently(() => statement.all(values));
    return {
      run: (...values) => this.#patiently(() => statement.run(values)),
      // Reads to the end: a statement that has not ended keeps the lock.
      get: (...values) => all(...values)[0],
      all,
    };
  }

  function(name: string, _: unknown, call: (...values: unknown[]) => unknown): void {
    // The number of parameters is part of a function's name in SQLite, and the library takes it from `length`.
    this.#database.function(name, (first) => call(first) as number);
  }

  close(): void {
    for (const statement of this.#statements.splice(0)) statement.finalize();
    this.#database.close();
  }

  /** Runs a function, and again while another process has the lock. Within a transaction, that might be for ever. */
  #patiently<Result>(run: () => Result): Result {
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (let waitedMs = 0; ; waitedMs += LOCK_POLL_MS) {
      try {
        return withCode(run);
      } catch (error) {
        if (!isBusy(error) || this.#database.inTransaction || waitedMs >= this.#busyMs) throw error;
        Atomics.wait(never, 0, 0, LOCK_POLL_MS);
      }
    }
  }
}

/** Runs a function. Gives an error the code that it has in better-sqlite3, because this library has no codes. */
function withCode<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error) || !/^database (table )?is locked/.test(error.message)) throw error;
    throw Object.assign(error, { code: 'SQLITE_BUSY' });
  }
}
