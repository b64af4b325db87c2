import { invalid } from '../core/rules.ts';
import type { Journal } from '../core/journal.ts';
import { createJournal, type JournalOptions } from './create-journal.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SQLITE_SCHEMA } from './sqlite-schema.ts';
import { sqliteStore } from './sqlite-store.ts';

/** A journal in a SQLite database. */
export interface SqliteJournal extends Journal {
  /** The statements that create the table, for those who migrate by hand. They do nothing where it is there already. */
  readonly schema: string;
  /** Creates the table, if it is not there. The first use of the journal does so, too. */
  setup(): Promise<void>;
}

/** Options of {@link sqliteJournal}. */
export type SqliteJournalOptions = JournalOptions;

/**
 * Keeps the keys of sends in a table of a SQLite database: of `node:sqlite`, or of better-sqlite3. It holds no email and no
 * address. What is committed survives a crash as far as the database does: see its `synchronous` setting.
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
  const { setup, ...store } = sqliteStore(db, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  return Object.assign(createJournal(store, options), { schema: SQLITE_SCHEMA, setup });
}
