/**
 * Keys in a table of a SQLite database. Every change is one statement with a condition, so that only one of two
 * processes can claim a key. Several changes are one transaction. The clock is the database's, read in the statement.
 */
import { invalid } from '../../core/rules.ts';
import type { JournalClaim, JournalEntry, JournalRecord } from '../../core/journal.ts';
import type { DatabaseStore } from './database-journal.ts';
import { digest } from './keys/key.ts';
import { DAYS_REMEMBERED, entryOf, FORGOTTEN_IDS, rememberedAs, TABLE } from './rows.ts';
import { LOOK_MS, SqliteConnection } from './sqlite-connection.ts';
import type { SqliteDatabase, SqliteStatement } from './sqlite-database.ts';
import { SQLITE_SCHEMA } from './sqlite-schema.ts';

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

const CLAIM = `INSERT INTO ${TABLE}
  (namespace, key, hash, stream, state, attempt, maybe_sent, claimed_at, lease_ends_at, changed_at, message_ids)
  VALUES (?, ?, ?, ?, 'claimed', ?, 0, ${NOW}, ${NOW} + ?, ${NOW}, '[]')
  ON CONFLICT (namespace, key) DO UPDATE SET
    hash = excluded.hash,
    stream = excluded.stream,
    state = 'claimed',
    attempt = excluded.attempt,
    maybe_sent = maybe_sent OR state <> 'released',
    claimed_at = CASE WHEN state = 'released' AND NOT maybe_sent THEN excluded.claimed_at ELSE claimed_at END,
    lease_ends_at = excluded.lease_ends_at,
    changed_at = excluded.changed_at
  WHERE state = 'released'
    OR (attempt = ? AND (state = 'unknown' OR (state = 'claimed' AND lease_ends_at <= excluded.changed_at)))`;

const COLUMNS = `key, hash, stream, state, attempt, message_ids,
  ${NOW} - claimed_at AS age_ms, lease_ends_at - ${NOW} AS lease_left_ms`;

const READ = `SELECT ${COLUMNS} FROM ${TABLE} WHERE namespace = ? AND key = ?`;

const OPEN = `SELECT ${COLUMNS} FROM ${TABLE} WHERE namespace = ? AND state IN ('claimed', 'unknown')
  AND (state = 'unknown' OR lease_ends_at <= ${NOW})`;

/**
 * `accepted` is final, from any source: the attempt with the claim (which may have more ids than the others), the
 * email log, or an event. An id of a forgotten key's email accepts nothing.
 */
const ACCEPT = `UPDATE ${TABLE} SET state = 'accepted', message_ids = ?, changed_at = ${NOW}
  WHERE namespace = ? AND key = ? AND stream = ? AND CASE state
    WHEN 'accepted' THEN attempt = ? AND json_array_length(?) > json_array_length(message_ids)
    WHEN 'released' THEN attempt = ? OR maybe_sent
    ELSE true END
  AND NOT EXISTS (SELECT 1 FROM ${FORGOTTEN_IDS} WHERE hash IN (SELECT value FROM json_each(?)))`;

const UNKNOWN = `UPDATE ${TABLE} SET state = 'unknown', changed_at = ${NOW}
  WHERE namespace = ? AND key = ? AND stream = ? AND attempt = ? AND state = 'claimed'`;

/** Ends the lease too: no process sends the email any more. */
const RELEASE = `UPDATE ${TABLE} SET state = CASE WHEN maybe_sent THEN 'unknown' ELSE 'released' END,
  lease_ends_at = ${NOW}, changed_at = ${NOW}
  WHERE namespace = ? AND key = ? AND stream = ? AND attempt = ? AND state = 'claimed'`;

/** Keys per transaction of `forget`: a short transaction keeps the claims of other processes from waiting long. */
const FORGET_AT_ONCE = 1_000;

/** The last key of such a group, in the order of keys. */
const LAST_OF_SOME = `SELECT max(key) AS last FROM
  (SELECT key FROM ${TABLE} WHERE namespace = ? AND key > ? ORDER BY key LIMIT ${FORGET_AT_ONCE})`;

const IS_FORGETTABLE = `namespace = ? AND key > ? AND key <= ? AND changed_at < ?
  AND NOT (state = 'claimed' AND lease_ends_at > ${NOW})`;

const FORGETTABLE = `SELECT key, message_ids FROM ${TABLE} WHERE ${IS_FORGETTABLE}`;

/** Only the keys whose ids were read: an event may have added ids since. */
const FORGET = `DELETE FROM ${TABLE} WHERE ${IS_FORGETTABLE}
  AND (key, message_ids) IN (SELECT value ->> 'key', value ->> 'message_ids' FROM json_each(?))`;

const TODAY = `${NOW} / 86400000`;

const REMEMBER = `INSERT OR REPLACE INTO ${FORGOTTEN_IDS} (hash, day) SELECT value, ${TODAY} FROM json_each(?)`;

const END_MEMORY = `DELETE FROM ${FORGOTTEN_IDS} WHERE day < ${TODAY} - ${DAYS_REMEMBERED}`;

const CLAIMED = `SELECT ${COLUMNS} FROM ${TABLE} WHERE namespace = ? AND state = 'claimed' AND lease_ends_at > ${NOW}`;

/** `maybe_sent` keeps the fact that the email may have been sent, until it is accepted. */
const FREE = `UPDATE ${TABLE} SET state = 'released', maybe_sent = ?, lease_ends_at = ${NOW}, changed_at = ${NOW}
  WHERE namespace = ? AND key = ? AND (state = 'unknown' OR (state = 'claimed' AND lease_ends_at <= ${NOW}))`;

/** Keys per transaction of `free`. */
const FREE_AT_ONCE = 1_000;

const idsIn = (json: string) => JSON.parse(json) as string[];

/** The hashes by which the ids of messages are remembered, once their key is forgotten. */
const hashesOf = (namespace: string, ids: readonly string[]) =>
  Promise.all(ids.map((id) => digest(rememberedAs(namespace, id))));

/** Prepares the acceptance of keys, which then needs no waiting inside a transaction. */
export async function acceptanceOf(
  records: readonly JournalRecord[],
): Promise<(record: JournalRecord, statement: (sql: string) => SqliteStatement) => void> {
  const hashes = new Map<JournalRecord, string>();
  for (const record of records)
    hashes.set(record, JSON.stringify(await hashesOf(record.namespace, record.messageIds)));
  return (record, statement) => {
    const { namespace, key, stream, attempt, messageIds } = record;
    const ids = JSON.stringify(messageIds);
    statement(ACCEPT).run(
      ...[ids, namespace, key, stream, attempt, ids, attempt],
      hashes.get(record) ?? '[]',
    );
  };
}

/** The time of a test. A text would become a part of the statement. */
function timeOf(now: () => number): number {
  const ms = Math.floor(now());
  if (!Number.isSafeInteger(ms)) throw invalid('now', 'must return the time in milliseconds');
  return ms;
}

/**
 * Keeps keys in a table of the database. `sleep` waits while another connection writes. `now` is the time of a test, in
 * place of the database's.
 */
export function sqliteStore(
  db: SqliteDatabase,
  sleep: (ms: number) => Promise<void>,
  now?: () => number,
): DatabaseStore {
  const timed = now && ((sql: string) => sql.replaceAll(NOW, String(timeOf(now))));
  const connection = new SqliteConnection(db, SQLITE_SCHEMA, sleep, timed);
  const { statement, inTransaction, setup, read: readAll } = connection;

  const claimOne = (claim: JournalClaim): JournalEntry | undefined => {
    const { namespace, key, hash, stream, attempt, leaseMs, over = '' } = claim;
    const { changes } = statement(CLAIM).run(namespace, key, hash, stream, attempt, Math.ceil(leaseMs), over);
    return Number(changes) > 0 ? undefined : entryOf(statement(READ).get(namespace, key));
  };

  const end = ({ namespace, key, stream, attempt, state }: JournalRecord) =>
    statement(state === 'unknown' ? UNKNOWN : RELEASE).run(namespace, key, stream, attempt);

  /** Deletes a group of keys after the key `after`. `last` is the last key of the group; null at the end. */
  const forgetSome = async (namespace: string, after: string, before: number) => {
    const [{ last }] = (await readAll(LAST_OF_SOME, namespace, after)) as [{ readonly last: string | null }];
    if (last === null) return { last, forgotten: 0 };
    const group = [namespace, after, last, Math.floor(before)] as const;
    const rows = (await readAll(FORGETTABLE, ...group)) as { readonly message_ids: string }[];
    const ids = rows.flatMap(({ message_ids }) => idsIn(message_ids));
    const hashes = await hashesOf(namespace, ids);
    return inTransaction(() => {
      statement(REMEMBER).run(JSON.stringify(hashes));
      return { last, forgotten: Number(statement(FORGET).run(...group, JSON.stringify(rows)).changes) };
    });
  };

  const read = async (sql: string, namespace: string): Promise<readonly JournalEntry[]> =>
    (await readAll(sql, namespace)).map(entryOf);

  return {
    setup,
    claim: (claims) => inTransaction(() => claims.map(claimOne)),
    async record(records) {
      const accept = await acceptanceOf(records.filter(({ state }) => state === 'accepted'));
      await inTransaction(() =>
        records.forEach((record) => {
          if (record.state === 'accepted') accept(record, statement);
          else end(record);
        }),
      );
    },
    open: (namespace) => read(OPEN, namespace),
    claimed: (namespace) => read(CLAIMED, namespace),
    async free(namespace, keys, maybeSent) {
      const freed: string[][] = [];
      const freeOne = (key: string) =>
        Number(statement(FREE).run(maybeSent ? 1 : 0, namespace, key).changes) > 0;
      for (let from = 0; from < keys.length; from += FREE_AT_ONCE) {
        const some = keys.slice(from, from + FREE_AT_ONCE);
        freed.push(await inTransaction(() => some.filter(freeOne)));
      }
      return freed.flat();
    },
    async forget(namespace, before) {
      let forgotten = 0;
      for (let after = ''; ;) {
        const some = await forgetSome(namespace, after, before);
        forgotten += some.forgotten;
        if (some.last === null) break;
        after = some.last;
        // Lets the other calls of this process, and other processes, use the database.
        await sleep(LOOK_MS);
      }
      await inTransaction(() => statement(END_MEMORY).run());
      return forgotten;
    },
  };
}
