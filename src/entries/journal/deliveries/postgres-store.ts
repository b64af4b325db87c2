/** Deliveries in tables of a Postgres database. */
import { JournalError } from '../../../core/errors.ts';
import { patiently, type Patience } from '../patiently.ts';
import { isPassing, type PostgresDatabase } from '../postgres-database.ts';
import { tableIn } from '../postgres-schema.ts';
import { isCommitted, lookForTables, PostgresTable, type Query, type TableKind } from '../postgres-table.ts';
import { columnsOf, eventColumnsOf, type DatabaseDeliveryStore } from './database-store.ts';
import { postgresDeliveriesSchema } from './postgres-schema.ts';
import * as statements from './postgres-statements.ts';
import { DELIVERIES, EVENTS, NOTES, storedIn } from './tables.ts';
import type { StoredFilters } from './types.ts';

const KIND: TableKind = {
  table: DELIVERIES,
  schemaIn: postgresDeliveriesSchema,
  what: 'deliveries',
  rows: 'deliveries',
};

/** SQLSTATE of a missing table. */
const UNDEFINED_TABLE = '42P01';

/** A statement that wrote, with the id of its transaction. */
interface Written {
  readonly xact: string;
}

interface RecordedRow extends Written {
  readonly is_current: unknown;
  /** JSON of {@link TraceRow}s. */
  readonly traces: string;
}

interface TraceRow {
  readonly message_id: string;
  readonly identity: string;
  readonly moment: string;
  readonly is_new: number;
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

  /** Throws unless a transaction is committed: the caller would take away what was written. */
  const checkCommitted = async ([row]: readonly Written[]) => {
    if (!(await isCommitted(patientQuery, row?.xact ?? '0')))
      throw new JournalError(
        'nothing is committed, because the connection is inside a transaction: give the deliveries a pool, or a connection of their own',
      );
    table.used();
  };

  /** Keys that contain an address. */
  const keysWith = async (namespace: string, isIn: (key: string) => boolean): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let last: string | undefined = ''; last !== undefined;) {
      const rows: readonly { readonly key: string }[] = await query(statements.addressKeysIn, [
        namespace,
        last,
      ]);
      found.push(...rows.map(({ key }) => key).filter(isIn));
      last = rows.length < statements.KEYS_AT_ONCE ? undefined : rows.at(-1)?.key;
    }
    return found;
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
      const all = [namespace, ...values, ...(hasKeys ? [JSON.stringify(settled)] : [])];
      for (;;) {
        const rows = await query<RecordedRow>((tables) => statements.recordIn(tables, hasKeys), all);
        if (Number(rows[0]?.is_current) === 1) {
          await checkCommitted(rows);
          return (JSON.parse(rows[0]?.traces ?? '') as TraceRow[]).map(
            ({ message_id: messageId, identity, moment, is_new }) => ({
              messageId,
              identity,
              moment,
              isNew: is_new === 1,
            }),
          );
        }
        await query(statements.generationIn, [namespace]);
      }
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
    async forget(namespace, { recipients, recipientId, isIn }) {
      // Committed before the removal, so that later records know it.
      await checkCommitted(await query(statements.forgetIn, [namespace, recipientId]));
      const given = [recipients, await keysWith(namespace, isIn)].map((texts) => JSON.stringify(texts));
      const [row] = await query<{ readonly count: unknown }>(statements.removeIn, [namespace, ...given]);
      await query(statements.clearIn, [namespace]);
      return Number(row?.count ?? 0);
    },
    async prune(namespace, before) {
      await checkCommitted(await query(statements.markIn, [namespace, String(before)]));
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
