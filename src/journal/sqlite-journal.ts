import { invalid } from '../core/rules.ts';
import type { JournalOptions } from './create-journal.ts';
import { databaseJournal, type DatabaseJournal } from './database-journal.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SQLITE_SCHEMA } from './sqlite-schema.ts';
import { sqliteStore } from './sqlite-store.ts';

/** A journal in a SQLite database. */
export type SqliteJournal = DatabaseJournal;

/** Options of {@link sqliteJournal}. */
export type SqliteJournalOptions = JournalOptions;

/**
 * Keeps the keys of sends in a table of a SQLite database: of `node:sqlite`, or of better-sqlite3. The table holds no
 * email and no address. A committed claim survives a crash as far as the database's `synchronous` setting allows.
 *
 * @example
 * ```ts
 * const journal = sqliteJournal(new DatabaseSync('mail.db'));
 * const client = new EmailPlatform({ journal });
 * await client.sending.send(mail, { idempotencyKey: 'welcome/123' });
 * ```
 * @throws ConfigurationError naming the option that is wrong or unknown
 */
export function sqliteJournal(db: SqliteDatabase, options: SqliteJournalOptions = {}): SqliteJournal {
  const { exec, prepare } = Object(db) as Partial<SqliteDatabase>;
  if (typeof exec !== 'function' || typeof prepare !== 'function')
    throw invalid('db', 'must be a database of node:sqlite or better-sqlite3');
  const store = sqliteStore(db, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  return databaseJournal(store, SQLITE_SCHEMA, options);
}
