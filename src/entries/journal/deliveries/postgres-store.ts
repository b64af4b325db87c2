/** Deliveries in tables of a Postgres database. */
import { patiently, type Patience } from '../patiently.ts';
import { isPassing, type PostgresDatabase } from '../postgres-database.ts';
import { tableIn } from '../postgres-schema.ts';
import { lookForTables, PostgresTable, type Query, type TableKind } from '../postgres-table.ts';
import { columnsOf, eventColumnsOf, type DatabaseDeliveryStore } from './database-store.ts';
import { postgresDeliveriesSchema } from './postgres-schema.ts';
import * as statements from './postgres-statements.ts';
import { DELIVERIES, EVENTS, FORGOTTEN, NOTES, storedIn } from './tables.ts';
import type { DeliveryRecord, StoredFilters } from './types.ts';

const KIND: TableKind = {
  table: DELIVERIES,
  schemaIn: postgresDeliveriesSchema,
  what: 'deliveries',
  rows: 'deliveries',
};

/** SQLSTATE of a missing table. */
const UNDEFINED_TABLE = '42P01';

interface TraceRow {
  readonly message_id: string;
  readonly identity: string;
  readonly moment: string;
  readonly is_new: unknown;
}

/**
 * Keeps deliveries in tables of the database, in this schema or in the one that the search path decides. `sleep` waits
 * while the database is unavailable.
 */
export function postgresDeliveryStore(
  db: PostgresDatabase,
  sleep: (ms: number) => Promise<void>,
  schema?: string,
): DatabaseDeliveryStore {
  const patience: Patience = { isPassing, lookMs: 100, longestMs: 10_000, sleep };
  const patientQuery: Query = async (text, values) =>
    (await patiently(() => db.query(text, values), patience)).rows;
  const table = new PostgresTable(patientQuery, schema, KIND);
  const tablesHere = (): statements.Tables => ({
    deliveries: tableIn(table.schema, DELIVERIES),
    events: tableIn(table.schema, EVENTS),
    notes: tableIn(table.schema, NOTES),
    journal: tableIn(table.schema),
  });

  /** Runs a statement that may safely run twice. */
  const query = async <Row>(
    statementIn: (tables: statements.Tables) => string,
    values: string[],
  ): Promise<readonly Row[]> => {
    await table.find();
    try {
      return (await patientQuery(statementIn(tablesHere()), values)) as readonly Row[];
    } catch (error) {
      if ((Object(error) as { readonly code?: unknown }).code !== UNDEFINED_TABLE) throw error;
      // The caller has rolled back their creation.
      await table.missing();
      return (await patientQuery(statementIn(tablesHere()), values)) as readonly Row[];
    }
  };

  /** Of recipients that were forgotten since the record began, nothing stays. */
  const forgetAgain = async (namespace: string, records: readonly DeliveryRecord[]) => {
    const given = records
      .filter(({ recipient }) => recipient !== null)
      .map(({ recipient, recipientId }) => ({ recipient, recipient_id: recipientId }));
    if (given.length > 0) await query(statements.forgetAgainIn, [namespace, JSON.stringify(given)]);
  };

  return {
    setup: async () => void (await table.find()),
    async hasJournal() {
      await table.find();
      return (await lookForTables(patientQuery)).schemas.includes(table.schema ?? '');
    },
    async record(namespace, records, keys = []) {
      const values = [records.map(columnsOf), eventColumnsOf(records)].map((rows) => JSON.stringify(rows));
      const settled = keys.map(({ messageIds, ...key }) => ({
        ...key,
        message_ids: JSON.stringify(messageIds),
      }));
      const hasKeys = settled.length > 0;
      const rows = await query<TraceRow>(
        (tables) => statements.recordIn(tables, hasKeys),
        [namespace, ...values, ...(hasKeys ? [JSON.stringify(settled)] : [])],
      );
      await forgetAgain(namespace, records);
      return rows.map(({ message_id: messageId, identity, moment, is_new }) => ({
        messageId,
        identity,
        moment,
        isNew: Number(is_new) === 1,
      }));
    },
    get: async (namespace, ids) =>
      (await query(statements.getIn, [namespace, JSON.stringify(ids)])).map(storedIn),
    withKey: async (namespace, key) => (await query(statements.withKeyIn, [namespace, key])).map(storedIn),
    async idsOfKey(namespace, key) {
      const [row] = await query<{ readonly message_ids: string }>(statements.idsOfKeyIn, [namespace, key]);
      return row === undefined ? [] : (JSON.parse(row.message_ids) as string[]);
    },
    async list(namespace, filters) {
      const { conditions, values } = conditionsOf(filters);
      const all = [namespace, ...values, String(filters.limit)];
      return (await query((tables) => statements.listIn(tables, conditions, `$${all.length}`), all)).map(
        storedIn,
      );
    },
    async forget(namespace, { address, recipient, recipientId }) {
      // Committed before the removal, so that a record which the removal does not see removes it itself.
      await query(statements.noteIn, [namespace, FORGOTTEN + recipientId, '']);
      const [row] = await query<{ readonly count: unknown }>(statements.forgetIn, [
        namespace,
        recipient,
        address,
      ]);
      return Number(row?.count ?? 0);
    },
    async prune(namespace, before) {
      await query(statements.markIn, [namespace, String(before)]);
      for (let pruned = 0; ;) {
        const [row] = await query<{ readonly seen: unknown; readonly pruned: unknown }>(statements.pruneIn, [
          namespace,
          String(before),
        ]);
        pruned += Number(row?.pruned ?? 0);
        if (Number(row?.seen ?? 0) === 0) return pruned;
      }
    },
    async noted(namespace, name) {
      const [row] = await query<{ readonly value: string }>(statements.notedIn, [namespace, name]);
      return row?.value;
    },
    async note(namespace, name, text) {
      if (text === undefined) await query(statements.unnoteIn, [namespace, name]);
      else await query(statements.noteIn, [namespace, name, text]);
    },
  };
}

/** The conditions of a list, numbered from $2. A row value after the last one read makes each page as quick. */
function conditionsOf({ recipient, status, since, after }: StoredFilters): {
  readonly conditions: readonly string[];
  readonly values: readonly string[];
} {
  const values: string[] = [];
  const next = (value: string | number) => `$${values.push(String(value)) + 1}`;
  const conditions = [
    ...(recipient === undefined ? [] : [`d.recipient = ${next(recipient)}`]),
    ...(status === undefined ? [] : [`d.status = ${next(status)}`]),
    ...(since === undefined ? [] : [`d.last_at >= ${next(since)}::text::bigint`]),
    ...(after === undefined
      ? []
      : [`(d.last_at, d.message_id) < (${next(after.lastAt)}::text::bigint, ${next(after.messageId)})`]),
  ];
  return { conditions, values };
}
