/** The part of a Postgres database that a journal uses. `Pool` of pg and PGlite both have it. */

/** The result of a statement. */
export interface PostgresResult {
  /** Its rows, as objects. */
  readonly rows: readonly unknown[];
}

/** A Postgres database, version 13 or later: a pool of pg, or PGlite. */
export interface PostgresDatabase {
  /** Runs a statement with values for `$1`, `$2`, …, and returns its rows. Outside a transaction, it is committed then. */
  query(text: string, values?: string[]): Promise<PostgresResult>;
}

/** The part of the `sql` of postgres.js that is used. */
export interface PostgresJs {
  /** Runs a statement with values for `$1`, `$2`, …, and returns its rows. */
  unsafe(text: string, values?: string[]): PromiseLike<readonly unknown[]>;
}

/** A database of any of the libraries; undefined for another value. */
export function postgresOf(db: unknown): PostgresDatabase | undefined {
  const { query, unsafe } = Object(db) as Partial<PostgresDatabase & PostgresJs>;
  if (typeof query === 'function') return db as PostgresDatabase;
  if (typeof unsafe !== 'function') return undefined;
  return { query: async (text, values) => ({ rows: await (db as PostgresJs).unsafe(text, values) }) };
}

/**
 * Passing errors by SQLSTATE: connection errors, transactions to run again, lack of resources, a server that shuts
 * down.
 */
const PASSING = /^(08|40|53|57P0[123])/;

/** Errors of a socket, as Node names them. */
const SOCKET = /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|AI_AGAIN)$/;

/**
 * True for a passing error: the server restarts, or two statements conflict. A statement on a broken connection may
 * have been committed.
 */
export function isPassing(error: unknown): boolean {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return PASSING.test(code) || SOCKET.test(code);
  // pg has no code for a connection that ends while a statement runs.
  return typeof message === 'string' && message.startsWith('Connection terminated');
}
