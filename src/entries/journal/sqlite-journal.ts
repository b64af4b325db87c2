import { checkedOptions, invalid, mustBe, objectOf } from '../../core/rules.ts';
import { JOURNAL_RULES, type JournalOptions } from './create-journal.ts';
import { databaseJournal, type DatabaseJournal } from './database-journal.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SQLITE_SCHEMA } from './sqlite-schema.ts';
import { sqliteStore } from './sqlite-store.ts';

/** A journal in a SQLite database. */
export type SqliteJournal = DatabaseJournal;

/** Options of {@link sqliteJournal}. */
export interface SqliteJournalOptions extends JournalOptions {
  /**
   * For tests: the time in milliseconds, in place of the clock of the database, so that a test can end a lease:
   * `() => emulator.clock.now()`. All processes that share a database need one clock, so leave it out elsewhere.
   */
  readonly now?: (() => number) | undefined;
}

const optionsRule = objectOf<SqliteJournalOptions>({
  ...JOURNAL_RULES,
  now: mustBe('a function that returns the time in milliseconds', (now) => typeof now === 'function'),
});

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
  const { now, ...others } = checkedOptions(optionsRule, options);
  const store = sqliteStore(db, (ms) => new Promise((resolve) => setTimeout(resolve, ms)), now);
  return databaseJournal(store, SQLITE_SCHEMA, others);
}
