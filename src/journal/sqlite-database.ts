/**
 * What a journal uses of a SQLite database. Both `DatabaseSync` of `node:sqlite` and `Database` of better-sqlite3 have it.
 */

/** A value that is bound to a statement. */
export type SqliteValue = string | number;

/** A prepared statement. */
export interface SqliteStatement {
  /** Runs it. */
  run(...values: SqliteValue[]): {
    /** How many rows it has changed. */
    readonly changes: number | bigint;
  };
  /** Runs it, and returns its first row; undefined if there is none. */
  get(...values: SqliteValue[]): unknown;
  /** Runs it, and returns all rows. */
  all(...values: SqliteValue[]): unknown[];
}

/** A SQLite database, version 3.42 or later: `DatabaseSync` of `node:sqlite`, or `Database` of better-sqlite3. */
export interface SqliteDatabase {
  /** Runs statements that return nothing. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
}

/** Result codes of SQLite: another connection is writing. */
const BUSY = 5;
const LOCKED = 6;

/** Whether a statement failed only because another connection is writing, in either library's words. */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = Object(error) as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return [BUSY, LOCKED].includes(errcode & 0xff);
  return typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code);
}
