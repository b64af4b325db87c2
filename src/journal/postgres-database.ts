/** What a journal uses of a Postgres database. `Pool` of pg has it, and so does PGlite. */

/** What a statement returns. */
export interface PostgresResult {
  /** Its rows, as objects. */
  readonly rows: readonly unknown[];
}

/** A Postgres database, version 13 or later: a pool of pg, or PGlite. */
export interface PostgresDatabase {
  /** Runs a statement with values for `$1`, `$2`, …, and returns its rows. Outside a transaction, it is committed then. */
  query(text: string, values?: string[]): Promise<PostgresResult>;
}

/** Classes of SQLSTATE: connections, transactions to be run again, too little of something, a server that shuts down. */
const PASSING = /^(08|40|53|57P0[123])/;

/** Errors of a socket, as Node names them. */
const SOCKET = /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|AI_AGAIN)$/;

/**
 * Whether a statement failed only for now: the server restarts, or two statements met. After a broken connection it may
 * have been committed.
 */
export function isPassing(error: unknown): boolean {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return PASSING.test(code) || SOCKET.test(code);
  // pg has no code for a connection that ends while a statement runs.
  return typeof message === 'string' && message.startsWith('Connection terminated');
}
