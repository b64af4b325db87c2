import { checkedOptions, invalid, objectOf } from '../../../core/rules.ts';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { DELIVERIES_RULES, type DeliveriesOptions } from './create-deliveries.ts';
import { databaseDeliveries, type DatabaseDeliveries } from './database-deliveries.ts';
import { SQLITE_DELIVERIES_SCHEMA } from './sqlite-schema.ts';
import { sqliteDeliveryStore } from './sqlite-store.ts';

/** Options of {@link sqliteDeliveries}. The journal must be in the same database. */
export type SqliteDeliveriesOptions = DeliveriesOptions;

const optionsRule = objectOf<SqliteDeliveriesOptions>(DELIVERIES_RULES);

/**
 * Keeps the emails that were sent, with their events, in tables of a SQLite database: of `node:sqlite`, or of
 * better-sqlite3. The connection must be outside a transaction. `createEmulator()` gives the same ids each time:
 * give each emulator a new database.
 *
 * @example
 * ```ts
 * const deliveries = sqliteDeliveries(new Database('mail.db'));
 * await deliveries.record(await readWebhook(request, { secret }));
 * const [receipt] = await deliveries.of({ key: 'receipt/7' });
 * ```
 * @throws ConfigurationError naming the option that is wrong or unknown
 */
export function sqliteDeliveries(
  db: SqliteDatabase,
  options: SqliteDeliveriesOptions = {},
): DatabaseDeliveries {
  const { exec, prepare } = Object(db) as Partial<SqliteDatabase>;
  if (typeof exec !== 'function' || typeof prepare !== 'function')
    throw invalid('db', 'must be a database of node:sqlite or better-sqlite3');
  const own = checkedOptions(optionsRule, options);
  const store = sqliteDeliveryStore(db, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  return databaseDeliveries(store, SQLITE_DELIVERIES_SCHEMA, own);
}
