/**
 * Keys for sends, kept in a database of yours: no key is posted twice unless you say `'resend'`.
 *
 * @module email-platform/journal
 */

export { createJournal, type JournalOptions } from './create-journal.ts';
export { sqliteJournal, type SqliteJournal, type SqliteJournalOptions } from './sqlite-journal.ts';
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-database.ts';
export type {
  Journal,
  JournalClaim,
  JournalEntry,
  JournalRecord,
  JournalState,
  JournalStore,
  KeyInFlight,
} from '../core/journal.ts';
