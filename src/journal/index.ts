/**
 * Idempotency keys for sends, in your own database: a key posts its email once, unless you choose `'resend'`.
 *
 * @module email-platform/journal
 */

export { createJournal, type JournalOptions } from './create-journal.ts';
export type { DatabaseJournal } from './database-journal.ts';
export { postgresJournal, type PostgresJournal, type PostgresJournalOptions } from './postgres-journal.ts';
export type { PostgresDatabase, PostgresResult } from './postgres-database.ts';
export { sqliteJournal, type SqliteJournal, type SqliteJournalOptions } from './sqlite-journal.ts';
export type { SqliteDatabase, SqliteStatement, SqliteValue } from './sqlite-database.ts';
export type {
  Journal,
  JournalClaim,
  JournalEntry,
  JournalEvent,
  JournalRecord,
  JournalState,
  JournalStore,
  KeyInFlight,
} from './types.ts';
