/** Deliveries in a database, which may be that of a journal. */
import { invalid } from '../../../core/rules.ts';
import type { Journal, JournalRecord } from '../../../core/journal.ts';
import { deliveriesOf, inDatabase, type DeliveriesOptions } from './create-deliveries.ts';
import type { DatabaseDeliveryStore } from './database-store.ts';
import type { Deliveries, DeliveryRecord } from './types.ts';

/** Deliveries in a database. */
export interface DatabaseDeliveries extends Deliveries {
  /**
   * SQL that creates the tables, for migrations by hand; with a journal, its table too. It does nothing if the tables
   * exist.
   */
  readonly schema: string;
  /** Creates the tables, if they are not there. The first use of the deliveries does so, too. */
  setup(): Promise<void>;
}

/** The journal of a database: it has a method that creates its table. */
interface SetUpJournal extends Journal {
  readonly schema: string;
  setup(): Promise<void>;
}

const isSetUp = (journal: Journal): journal is SetUpJournal => 'setup' in journal && 'schema' in journal;

/** Makes deliveries of checked options. */
export function databaseDeliveries(
  store: DatabaseDeliveryStore,
  schema: string,
  options: DeliveriesOptions,
): DatabaseDeliveries {
  const { journal } = options;
  if (journal !== undefined && !isSetUp(journal))
    throw invalid('journal', 'must be in the same database: one of sqliteJournal or postgresJournal');

  let found: Promise<void> | undefined;
  /** Creates the table of the journal by its own connection, and checks that this connection finds it. */
  const find = async (): Promise<void> => {
    if (journal === undefined) return;
    await journal.setup();
    if (await store.hasJournal()) return;
    throw invalid('journal', 'must be in the same database, and in the same schema: its table is not there');
  };
  const findJournal = (): Promise<void> => {
    found ??= find().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };

  const parts = {
    record: async (namespace: string, records: readonly DeliveryRecord[], keys: readonly JournalRecord[]) => {
      await findJournal();
      return store.record(namespace, records, keys);
    },
    idsOfKey: async (namespace: string, key: string) => {
      await findJournal();
      return store.idsOfKey(namespace, key);
    },
  };
  return Object.assign(deliveriesOf(store, options, parts), {
    schema: journal === undefined ? schema : `${journal.schema}${schema}`,
    setup: () =>
      inDatabase(async () => {
        await findJournal();
        await store.setup();
      }),
  });
}
