import { isUnsendable } from '../../core/key.ts';
import { checkedOptions, invalid, mustBe, objectOf } from '../../core/rules.ts';
import { JOURNAL_RULES, type JournalOptions } from './create-journal.ts';
import { databaseJournal, type DatabaseJournal } from './database-journal.ts';
import { postgresOf, type PostgresDatabase, type PostgresJs } from './postgres-database.ts';
import { postgresSchema } from './postgres-schema.ts';
import { postgresStore } from './postgres-store.ts';

/** A journal in a Postgres database. */
export type PostgresJournal = DatabaseJournal;

/** Options of {@link postgresJournal}. */
export interface PostgresJournalOptions extends JournalOptions {
  /**
   * The schema of the database that has the table. By default, the search path of the first connection decides, and the
   * database has one journal: if another schema has one, a call is a `JournalError`. For a journal in each of several
   * schemas, such as one for each tenant, name the schema.
   */
  readonly schema?: string | undefined;
}

/** Postgres cuts longer names. */
const MAX_NAME_BYTES = 63;

export const schemaRule = mustBe(
  `the name of a schema: 1 to ${MAX_NAME_BYTES} bytes without control characters`,
  (value) =>
    typeof value === 'string' &&
    value !== '' &&
    !isUnsendable(value) &&
    new TextEncoder().encode(value).length <= MAX_NAME_BYTES,
);

const optionsRule = objectOf<PostgresJournalOptions>({ ...JOURNAL_RULES, schema: schemaRule });

/**
 * Keeps the keys of sends in a table of a Postgres database, for any number of processes: over a pool of pg, the
 * `sql` of postgres.js, or PGlite. The table holds no email and no address. A claim is committed before the request is sent, so the connection
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
export function postgresJournal(
  db: PostgresDatabase | PostgresJs,
  options: PostgresJournalOptions = {},
): PostgresJournal {
  const database = postgresOf(db);
  if (database === undefined) throw invalid('db', 'must be a pool of pg, the sql of postgres.js, or PGlite');
  const { schema, ...others } = checkedOptions(optionsRule, options);
  const store = postgresStore(database, (ms) => new Promise((resolve) => setTimeout(resolve, ms)), schema);
  return databaseJournal(store, postgresSchema(schema), others);
}
