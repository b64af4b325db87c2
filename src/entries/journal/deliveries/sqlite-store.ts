/** Deliveries in tables of a SQLite database. A record is one transaction, which excludes all others. */
import { TABLE } from '../rows.ts';
import { LOOK_MS, SqliteConnection } from '../sqlite-connection.ts';
import type { SqliteDatabase, SqliteValue } from '../sqlite-database.ts';
import { acceptanceOf } from '../sqlite-store.ts';
import { columnsOf, eventColumnsOf, type DatabaseDeliveryStore } from './database-store.ts';
import { SQLITE_DELIVERIES_SCHEMA } from './sqlite-schema.ts';
import { rankIn } from './status.ts';
import { DELIVERIES, EVENTS, FORGOTTEN, NOTES, PRUNED, storedIn } from './tables.ts';
import type { DeliveryEventRecord, DeliveryRecord, DeliveryTrace, StoredFilters } from './types.ts';

const LOOK = `SELECT is_forgotten FROM ${DELIVERIES} WHERE namespace = ? AND message_id = ?`;

const NOTED = `SELECT value FROM ${NOTES} WHERE namespace = ? AND name = ?`;

const IS_NOTED = `SELECT 1 FROM ${NOTES} WHERE namespace = ?
  AND name IN (SELECT '${FORGOTTEN}' || value FROM json_each(?)) LIMIT 1`;

const NOTE = `INSERT OR REPLACE INTO ${NOTES} (namespace, name, value) VALUES (?, ?, ?)`;

const UNNOTE = `DELETE FROM ${NOTES} WHERE namespace = ? AND name = ?`;

/** Keeps the latest moment: another process may have pruned further. */
const MARK = `INSERT INTO ${NOTES} (namespace, name, value) VALUES (?, '${PRUNED}', ?)
  ON CONFLICT (namespace, name) DO UPDATE
  SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))`;

const KNOWN_EVENTS = `SELECT identity, moment FROM ${EVENTS} WHERE namespace = ? AND message_id = ?
  AND (identity IN (SELECT value FROM json_each(?)) OR moment IN (SELECT value FROM json_each(?)))`;

/** The values of a JSON object as a row. */
const valuesOf = (names: readonly string[]) => names.map((name) => `one.value ->> '${name}'`).join(', ');

const EVENT_COLUMNS = [
  'message_id',
  'identity',
  'moment',
  'type',
  'at',
  'is_untimed',
  'code',
  'category',
  'text',
  'url',
];

const ADD_EVENTS = `INSERT OR IGNORE INTO ${EVENTS} (namespace, ${EVENT_COLUMNS.join(', ')})
  SELECT ?, ${valuesOf(EVENT_COLUMNS)} FROM json_each(?) AS one`;

const COLUMNS = [
  'message_id',
  'key',
  'recipient',
  'stream',
  'status',
  'status_at',
  'last_at',
  'variables',
  'is_forgotten',
];

/** `WHERE true` keeps the parser from taking `ON` for the condition of a join. */
const SAVE = `INSERT INTO ${DELIVERIES} AS d (namespace, ${COLUMNS.join(', ')})
  SELECT ?, ${valuesOf(COLUMNS)} FROM json_each(?) AS one WHERE true
  ON CONFLICT (namespace, message_id) DO UPDATE SET
    key = coalesce(d.key, excluded.key),
    recipient = coalesce(d.recipient, excluded.recipient),
    stream = coalesce(d.stream, excluded.stream),
    variables = coalesce(d.variables, excluded.variables),
    is_forgotten = max(d.is_forgotten, excluded.is_forgotten),
    last_at = max(d.last_at, excluded.last_at),
    status_at = CASE
      WHEN ${rankIn('excluded.status')} > ${rankIn('d.status')} THEN excluded.status_at
      WHEN excluded.status = d.status THEN min(d.status_at, excluded.status_at)
      ELSE d.status_at END,
    status = CASE WHEN ${rankIn('excluded.status')} > ${rankIn('d.status')} THEN excluded.status ELSE d.status END`;

const READ = `SELECT d.message_id, d.key, d.recipient, d.stream, d.status, d.status_at, d.last_at, d.variables,
    (SELECT json_group_array(json_object('identity', e.identity, 'moment', e.moment, 'type', e.type, 'at', e.at,
        'is_untimed', e.is_untimed, 'code', e.code, 'category', e.category, 'text', e.text, 'url', e.url))
      FROM ${EVENTS} AS e WHERE e.namespace = d.namespace AND e.message_id = d.message_id) AS events
  FROM ${DELIVERIES} AS d WHERE d.namespace = ?`;

const IDS_OF_KEY = `SELECT message_ids FROM ${TABLE} WHERE namespace = ? AND key = ? AND state = 'accepted'`;

const KEYS = `SELECT DISTINCT key FROM ${DELIVERIES} WHERE namespace = ? AND instr(key, '@') > 0`;

const LISTED = '(SELECT value FROM json_each(?))';

/** Of messages of a recipient, and of messages without one that have a key. */
const FORGET_TEXTS = `UPDATE ${EVENTS} SET text = NULL, url = NULL WHERE namespace = ? AND message_id IN
  (SELECT message_id FROM ${DELIVERIES} WHERE namespace = ?
    AND (recipient IN ${LISTED} OR (recipient IS NULL AND key IN ${LISTED})))`;

const FORGET_UNNAMED = `UPDATE ${DELIVERIES} SET variables = NULL WHERE namespace = ? AND recipient IS NULL AND key IN ${LISTED}`;

const FORGET = `UPDATE ${DELIVERIES} SET recipient = NULL, variables = NULL, is_forgotten = 1
  WHERE namespace = ? AND recipient IN ${LISTED}`;

const FORGET_KEYS = `UPDATE ${DELIVERIES} SET key = NULL WHERE namespace = ? AND key IN ${LISTED}`;

const COUNT = `SELECT count(*) AS count FROM ${DELIVERIES} WHERE namespace = ?
  AND (recipient IN ${LISTED} OR key IN ${LISTED})`;

/** A message turns out to be one of a forgotten recipient. */
const HIDE = `UPDATE ${DELIVERIES} SET recipient = NULL, variables = NULL, is_forgotten = 1,
  key = CASE WHEN instr(key, '@') > 0 THEN NULL ELSE key END WHERE namespace = ? AND message_id = ?`;

const HIDE_TEXTS = `UPDATE ${EVENTS} SET text = NULL, url = NULL WHERE namespace = ? AND message_id = ?`;

/** Messages per transaction of `prune`: a short transaction keeps records from waiting long. */
const PRUNE_AT_ONCE = 1_000;

const OLDEST = `SELECT message_id FROM ${DELIVERIES} WHERE namespace = ? AND last_at < ?
  ORDER BY last_at LIMIT ${PRUNE_AT_ONCE}`;

const IN_THESE = 'namespace = ? AND message_id IN (SELECT value FROM json_each(?))';

/** Keeps deliveries in tables of the database. `sleep` waits while another connection writes. */
export function sqliteDeliveryStore(
  db: SqliteDatabase,
  sleep: (ms: number) => Promise<void>,
): DatabaseDeliveryStore {
  const connection = new SqliteConnection(db, SQLITE_DELIVERIES_SCHEMA, sleep);
  const { statement, inTransaction, read } = connection;

  const valueOf = (namespace: string, name: string) =>
    (statement(NOTED).get(namespace, name) as { readonly value: string } | undefined)?.value;

  const recordOne = (namespace: string, record: DeliveryRecord): DeliveryTrace[] => {
    const { messageId, recipientIds, keyIds, lastAt, events } = record;
    const found = statement(LOOK).get(namespace, messageId) as { readonly is_forgotten: unknown } | undefined;
    const identities = new Set(events.map(({ identity }) => identity));
    const known = statement(KNOWN_EVENTS).all(
      namespace,
      messageId,
      JSON.stringify([...identities]),
      JSON.stringify(events.map(({ moment }) => moment)),
    ) as Pick<DeliveryEventRecord, 'identity' | 'moment'>[];
    const traceOf =
      (isNew: boolean) =>
      ({ identity, moment }: Pick<DeliveryEventRecord, 'identity' | 'moment'>) => ({
        messageId,
        identity,
        moment,
        isNew,
      });
    const knownHere = new Set(known.map(({ identity }) => identity));
    const added = events.filter(({ identity }) => !knownHere.has(identity));
    const isAdded =
      lastAt >= Number(valueOf(namespace, PRUNED) ?? -Infinity) && (events.length === 0 || added.length > 0);
    if (found === undefined && !isAdded)
      return known.filter(({ identity }) => identities.has(identity)).map(traceOf(false));
    const isNoted = (ids: readonly string[]) =>
      ids.length > 0 && statement(IS_NOTED).get(namespace, JSON.stringify(ids)) !== undefined;
    const wasForgotten = Number(found?.is_forgotten ?? 0) === 1;
    const isForgotten = wasForgotten || isNoted(recipientIds);
    if (isForgotten && !wasForgotten) {
      statement(HIDE).run(namespace, messageId);
      statement(HIDE_TEXTS).run(namespace, messageId);
    }
    const key = (isForgotten && record.key?.includes('@')) || isNoted(keyIds) ? null : record.key;
    const kept = isForgotten
      ? {
          ...record,
          key,
          recipient: null,
          variables: null,
          events: added.map((event) => ({ ...event, text: null, url: null })),
        }
      : { ...record, key, events: added };
    statement(ADD_EVENTS).run(namespace, JSON.stringify(eventColumnsOf([kept])));
    statement(SAVE).run(
      namespace,
      JSON.stringify([{ ...columnsOf(kept), is_forgotten: isForgotten ? 1 : 0 }]),
    );
    return [...known.map(traceOf(false)), ...added.map(traceOf(true))];
  };

  const pruneSome = (namespace: string, before: number) =>
    inTransaction(() => {
      const rows = statement(OLDEST).all(namespace, before) as { readonly message_id: string }[];
      const ids = JSON.stringify(rows.map(({ message_id: id }) => id));
      statement(`DELETE FROM ${EVENTS} WHERE ${IN_THESE} AND is_untimed = 0`).run(namespace, ids);
      statement(`UPDATE ${EVENTS} SET text = NULL, url = NULL WHERE ${IN_THESE}`).run(namespace, ids);
      statement(`DELETE FROM ${DELIVERIES} WHERE ${IN_THESE}`).run(namespace, ids);
      return rows.length;
    });

  return {
    setup: connection.setup,
    hasJournal: async () => (await read('SELECT 1 FROM sqlite_master WHERE name = ?', TABLE)).length > 0,
    async record(namespace, records, keys = []) {
      const accept = await acceptanceOf(keys);
      return inTransaction(() => {
        const traces = records.map((record) => recordOne(namespace, record));
        for (const key of keys) accept(key, statement);
        return traces.flat();
      });
    },
    get: async (namespace, messageIds) =>
      (
        await read(
          `${READ} AND d.message_id IN (SELECT value FROM json_each(?))`,
          namespace,
          JSON.stringify(messageIds),
        )
      ).map(storedIn),
    withKey: async (namespace, key) => (await read(`${READ} AND d.key = ?`, namespace, key)).map(storedIn),
    idsOfKey: async (namespace, key) => {
      const [row] = (await read(IDS_OF_KEY, namespace, key)) as { readonly message_ids: string }[];
      return row === undefined ? [] : (JSON.parse(row.message_ids) as string[]);
    },
    async list(namespace, filters) {
      const { conditions, values } = conditionsOf(filters);
      const order = `ORDER BY d.last_at DESC, d.message_id DESC LIMIT ?`;
      return (await read(`${READ}${conditions} ${order}`, namespace, ...values, filters.limit)).map(storedIn);
    },
    forget: (namespace, { recipients, recipientId, isIn }) =>
      inTransaction(() => {
        statement(NOTE).run(namespace, FORGOTTEN + recipientId, '');
        const all = statement(KEYS).all(namespace) as { readonly key: string }[];
        const theirs = JSON.stringify(recipients);
        const keys = JSON.stringify(all.map(({ key }) => key).filter(isIn));
        const { count } = statement(COUNT).get(namespace, theirs, keys) as { readonly count: unknown };
        statement(FORGET_TEXTS).run(namespace, namespace, theirs, keys);
        statement(FORGET_UNNAMED).run(namespace, keys);
        statement(FORGET).run(namespace, theirs);
        statement(FORGET_KEYS).run(namespace, keys);
        return Number(count);
      }),
    async prune(namespace, before) {
      await inTransaction(() => statement(MARK).run(namespace, String(before)));
      for (let pruned = 0; ;) {
        const some = await pruneSome(namespace, before);
        pruned += some;
        if (some < PRUNE_AT_ONCE) return pruned;
        // Lets the other calls of this process, and other processes, use the database.
        await sleep(LOOK_MS);
      }
    },
    noted: async (namespace, name) =>
      ((await read(NOTED, namespace, name)) as { readonly value: string }[])[0]?.value,
    note: (namespace, name, text) =>
      inTransaction(() => {
        if (text === undefined) statement(UNNOTE).run(namespace, name);
        else statement(NOTE).run(namespace, name, text);
      }),
  };
}

/** The conditions of a list. A row value after the last one read makes the next page as quick as the first. */
function conditionsOf({ recipient, status, since, after }: StoredFilters): {
  readonly conditions: string;
  readonly values: readonly SqliteValue[];
} {
  const parts: [string, ...SqliteValue[]][] = [];
  if (recipient !== undefined) parts.push(['d.recipient = ?', recipient]);
  if (status !== undefined) parts.push(['d.status = ?', status]);
  if (since !== undefined) parts.push(['d.last_at >= ?', since]);
  if (after !== undefined) parts.push(['(d.last_at, d.message_id) < (?, ?)', after.lastAt, after.messageId]);
  return {
    conditions: parts.map(([condition]) => ` AND ${condition}`).join(''),
    values: parts.flatMap(([, ...values]) => values),
  };
}
