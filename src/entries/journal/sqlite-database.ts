/**
 * The part of a SQLite database that a journal uses. `DatabaseSync` of `node:sqlite` and `Database` of better-sqlite3
 * both have it.
 */

/** A value that is bound to a statement. */
export type SqliteValue = string | number;

/** A prepared statement. */
export interface SqliteStatement {
  /** Runs the statement. */
  run(...values: SqliteValue[]): {
    /** Number of changed rows. */
    readonly changes: number | bigint;
  };
  /** Runs the statement, and returns its first row; undefined if there is none. */
  get(...values: SqliteValue[]): unknown;
  /** Runs the statement, and returns all rows. */
  all(...values: SqliteValue[]): unknown[];
}

/** A SQLite database, version 3.42 or later: `DatabaseSync` of `node:sqlite`, or `Database` of better-sqlite3. */
export interface SqliteDatabase {
  /** Runs statements that return nothing. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
}

/** Result codes of SQLite for "another connection is writing". */
const BUSY = 5;
const LOCKED = 6;

/** True if a statement failed because another connection is writing. Reads the error codes of both libraries. */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = Object(error) as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return [BUSY, LOCKED].includes(errcode & 0xff);
  return typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code);
}

/** True if better-sqlite3 refused a statement because a statement of this connection is being iterated. */
export const isIterated = (error: unknown): boolean =>
  error instanceof TypeError && error.message.includes('connection is busy executing a query');
