/** The shop's SQLite file. */
import Database from 'better-sqlite3';

/** A connection to the shop's database. */
export type Db = Database.Database;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sign_ups (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    code TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    product TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    cents INTEGER NOT NULL,
    receipt TEXT NOT NULL DEFAULT 'due'
  );
  CREATE TABLE IF NOT EXISTS readers (
    email TEXT PRIMARY KEY,
    token TEXT NOT NULL UNIQUE
  );
`;

/** Opens a file, or `:memory:`, and creates the tables that it lacks. A committed row survives a power loss. */
export function openDatabase(file: string): Db {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(SCHEMA);
  return database;
}
