import { checkedOptions, invalid, objectOf } from '../../../core/rules.ts';
import { postgresOf, type PostgresDatabase, type PostgresJs } from '../postgres-database.ts';
import { schemaRule } from '../postgres-journal.ts';
import { DELIVERIES_RULES, type DeliveriesOptions } from './create-deliveries.ts';
import { databaseDeliveries, type DatabaseDeliveries } from './database-deliveries.ts';
import { postgresDeliveriesSchema } from './postgres-schema.ts';
import { postgresDeliveryStore } from './postgres-store.ts';

/** Options of {@link postgresDeliveries}. The journal must be in the same database, and in the same schema. */
export interface PostgresDeliveriesOptions extends DeliveriesOptions {
  /**
   * The schema of the database that has the tables. By default, the search path of the first connection decides, and the
   * database has these tables once: if another schema has them, a call is a `JournalError`.
   */
  readonly schema?: string | undefined;
}

const optionsRule = objectOf<PostgresDeliveriesOptions>({ ...DELIVERIES_RULES, schema: schemaRule });

/**
 * Keeps the emails that were sent, with their events, in tables of a Postgres database, for any number of processes:
 * over a pool of pg, the `sql` of postgres.js, or PGlite. A connection must be outside a transaction. `createEmulator()` gives the
 * same ids each time: give each emulator a new database.
 *
 * @example
 * ```ts
 * const journal = postgresJournal(pool);
 * const deliveries = postgresDeliveries(pool, { journal });
 * await deliveries.record(await readWebhook(request, { secret }));
 * const [receipt] = await deliveries.of({ key: 'receipt/7' });
 * ```
 * @throws ConfigurationError naming the option that is wrong or unknown
 */
export function postgresDeliveries(
  db: PostgresDatabase | PostgresJs,
  options: PostgresDeliveriesOptions = {},
): DatabaseDeliveries {
  const database = postgresOf(db);
  if (database === undefined) throw invalid('db', 'must be a pool of pg, the sql of postgres.js, or PGlite');
  const own = checkedOptions(optionsRule, options);
  const store = postgresDeliveryStore(
    database,
    (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    own.schema,
  );
  return databaseDeliveries(store, postgresDeliveriesSchema(own.schema), own);
}
