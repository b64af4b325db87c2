import { invalid } from '../core/rules.ts';
import type { JournalOptions } from './create-journal.ts';
import { databaseJournal, type DatabaseJournal } from './database-journal.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { POSTGRES_SCHEMA } from './postgres-schema.ts';
import { postgresStore } from './postgres-store.ts';

/** A journal in a Postgres database. */
export type PostgresJournal = DatabaseJournal;

/** Options of {@link postgresJournal}. */
export type PostgresJournalOptions = JournalOptions;

/**
 * Keeps the keys of sends in a table of a Postgres database, for any number of processes: over a pool of pg, or
 * PGlite. The table holds no email and no address. A claim is committed before the request is sent, so the connection
 * must be outside a transaction: inside one, the claim fails and nothing is sent.
 *
 * @example
 * ```ts
 * const journal = postgresJournal(new Pool({ connectionString }));
 * const client = new EmailPlatform({ journal });
 * await client.sending.send(mail, { idempotencyKey: 'welcome/123' });
 * ```
 * @throws ConfigurationError naming the option that is wrong or unknown
 */
export function postgresJournal(db: PostgresDatabase, options: PostgresJournalOptions = {}): PostgresJournal {
  const { query } = Object(db) as Partial<PostgresDatabase>;
  if (typeof query !== 'function') throw invalid('db', 'must be a pool of pg, or PGlite');
  const store = postgresStore(db, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  return databaseJournal(store, POSTGRES_SCHEMA, options);
}
