/**
 * Keys in a table of a Postgres database. One statement changes many keys, and the database commits it by itself. It
 * locks rows in the order of their keys, so that two statements cannot deadlock. The clock is the database's.
 *
 * A claim must be committed when it returns. The statement itself cannot detect a transaction of the caller on its
 * connection, so a second statement asks for the status of the first one's transaction.
 */
import { isolated } from '../core/isolated.ts';
import type { JournalClaim, JournalEntry, JournalRecord } from './types.ts';
import type { DatabaseStore } from './database-journal.ts';
import { patiently, type Patience } from './patiently.ts';
import { isPassing, type PostgresDatabase } from './postgres-database.ts';
import { POSTGRES_SCHEMA } from './postgres-schema.ts';
import { entryOf, TABLE } from './rows.ts';

/** Two processes may start at once. A role without the right to create tables can use an existing one. */
const SET_UP = `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('${TABLE}'));
  IF to_regclass('${TABLE}') IS NULL THEN
    ${POSTGRES_SCHEMA}
  END IF;
END $$`;

const msOf = (interval: string) => `(extract(epoch FROM ${interval}) * 1000)::float8`;

const COLUMNS = `namespace, key, hash, stream, state, attempt, message_ids,
  ${msOf('clock_timestamp() - claimed_at')} AS age_ms,
  ${msOf('lease_ends_at - clock_timestamp()')} AS lease_left_ms`;

/**
 * True if a claim may take an existing row. The whole condition uses one reading of the clock: `excluded.changed_at`.
 */
const IS_FREE = `(j.state = 'released' OR (j.attempt = excluded.over
  AND (j.state = 'unknown' OR (j.state = 'claimed' AND j.lease_ends_at <= excluded.changed_at))))`;

const ifFree = (column: string, value: string) =>
  `${column} = CASE WHEN ${IS_FREE} THEN ${value} ELSE j.${column} END`;

/**
 * Writes a refused row unchanged, so that the statement returns its current values instead of those at its start.
 * `claim_id` identifies the claim that has the row, also if the statement runs again after a broken connection.
 * `state` shows that it still has it: an event may have marked the earlier email as accepted since.
 */
const CLAIM = `INSERT INTO ${TABLE} AS j (namespace, key, hash, stream, state, attempt, over, claim_id,
    maybe_sent, claimed_at, lease_ends_at, changed_at, message_ids)
  SELECT c.namespace, c.key, c.hash, c.stream, 'claimed', c.attempt, c.over, $2::text::uuid,
    false, n.now, n.now + c.lease_ms * interval '1 millisecond', n.now, '[]'
  FROM json_to_recordset($1::text::json)
    AS c (namespace text, key text, hash text, stream text, attempt text, over text, lease_ms float8),
    (SELECT clock_timestamp() AS now) AS n
  ORDER BY c.namespace COLLATE "C", c.key COLLATE "C"
  ON CONFLICT (namespace, key) DO UPDATE SET
    ${[
      ...['hash', 'stream', 'state', 'attempt', 'over', 'claim_id'].map((name) =>
        ifFree(name, `excluded.${name}`),
      ),
      ifFree('maybe_sent', `(j.maybe_sent OR j.state <> 'released')`),
      ifFree(
        'claimed_at',
        `CASE WHEN j.state = 'released' AND NOT j.maybe_sent THEN excluded.claimed_at ELSE j.claimed_at END`,
      ),
      ifFree('lease_ends_at', 'excluded.lease_ends_at'),
      ifFree('changed_at', 'excluded.changed_at'),
    ].join(',\n    ')}
  RETURNING ${COLUMNS}, (claim_id = $2::text::uuid AND state = 'claimed')::int AS is_claimed, pg_current_xact_id()::text AS xact`;

const XACT_STATUS = `SELECT pg_xact_status($1::text::xid8) AS status`;

/**
 * `accepted` is final, from any source: the attempt with the claim (which may have more ids than the others), the
 * email log, or an event.
 */
const RECORD = `WITH
  r AS MATERIALIZED (SELECT * FROM json_to_recordset($1::text::json)
    AS r (namespace text, key text, stream text, attempt text, state text, message_ids text)),
  locked AS MATERIALIZED (SELECT j.namespace, j.key FROM ${TABLE} AS j JOIN r USING (namespace, key)
    ORDER BY j.namespace, j.key FOR UPDATE OF j)
  UPDATE ${TABLE} AS j SET
    state = CASE WHEN r.state = 'released' AND j.maybe_sent THEN 'unknown' ELSE r.state END,
    message_ids = CASE r.state WHEN 'accepted' THEN r.message_ids ELSE j.message_ids END,
    lease_ends_at = CASE r.state WHEN 'released' THEN clock_timestamp() ELSE j.lease_ends_at END,
    changed_at = clock_timestamp()
  FROM r JOIN locked USING (namespace, key)
  WHERE j.namespace = r.namespace AND j.key = r.key AND j.stream = r.stream AND CASE r.state
    WHEN 'accepted' THEN CASE j.state
      WHEN 'accepted' THEN j.attempt = r.attempt
        AND json_array_length(r.message_ids::json) > json_array_length(j.message_ids::json)
      WHEN 'released' THEN j.attempt = r.attempt OR j.maybe_sent
      ELSE true END
    ELSE j.state = 'claimed' AND j.attempt = r.attempt END`;

const IS_OPEN = `(j.state = 'unknown' OR (j.state = 'claimed' AND j.lease_ends_at <= clock_timestamp()))`;

const OPEN = `SELECT ${COLUMNS} FROM ${TABLE} AS j WHERE namespace = $1 AND state IN ('claimed', 'unknown') AND ${IS_OPEN}`;

const CLAIMED = `SELECT ${COLUMNS} FROM ${TABLE} WHERE namespace = $1 AND state = 'claimed'
  AND lease_ends_at > clock_timestamp()`;

const OPEN_OF_THESE = `SELECT key, attempt FROM ${TABLE} AS j WHERE namespace = $1
  AND key IN (SELECT json_array_elements_text($2::text::json)) AND ${IS_OPEN}`;

/**
 * `maybe_sent` keeps the fact that the email may have been sent, until it is accepted. The statement frees a key only
 * for the attempt that left it open: if it runs again after a broken connection, another attempt may have claimed the
 * key.
 */
const FREE = `WITH
  opened AS MATERIALIZED (SELECT * FROM json_to_recordset($2::text::json) AS o (key text, attempt text)),
  locked AS MATERIALIZED (SELECT key, attempt FROM ${TABLE} JOIN opened USING (key, attempt)
    WHERE namespace = $1 ORDER BY key FOR UPDATE)
  UPDATE ${TABLE} AS j SET state = 'released', maybe_sent = $3::text::boolean,
    lease_ends_at = clock_timestamp(), changed_at = clock_timestamp()
  FROM locked WHERE j.namespace = $1 AND j.key = locked.key AND j.attempt = locked.attempt
    AND (j.state = 'released' OR ${IS_OPEN})
  RETURNING j.key`;

/** Keys per statement of `forget`. A short statement commits soon, so that claims do not wait long. */
const FORGET_AT_ONCE = 5_000;

const FORGET = `WITH
  looked_at AS MATERIALIZED (SELECT key FROM ${TABLE} WHERE namespace = $1 AND key > $2 ORDER BY key
    LIMIT ${FORGET_AT_ONCE}),
  forgotten AS (DELETE FROM ${TABLE} AS j USING looked_at
    WHERE j.namespace = $1 AND j.key = looked_at.key
      AND j.changed_at < to_timestamp($3::text::float8 / 1000)
      AND NOT (j.state = 'claimed' AND j.lease_ends_at > clock_timestamp())
    RETURNING 1)
  SELECT (SELECT max(key) FROM looked_at) AS last, (SELECT count(*) FROM forgotten)::int AS forgotten`;

/** SQLSTATE of a missing table. */
const UNDEFINED_TABLE = '42P01';

const idOf = ({ namespace, key }: { readonly namespace: string; readonly key: string }) =>
  JSON.stringify([namespace, key]);

/** Splits rows into groups without duplicate keys: a statement can change a row only once. */
function groupsOf<T extends { readonly namespace: string; readonly key: string }>(all: readonly T[]): T[][] {
  const groups: Map<string, T>[] = [];
  for (const one of all) {
    const id = idOf(one);
    const free = groups.find((group) => !group.has(id)) ?? new Map<string, T>();
    if (free.size === 0) groups.push(free);
    free.set(id, one);
  }
  return groups.map((group) => [...group.values()]);
}

/** A row that a claim returns. */
interface ClaimedRow {
  readonly namespace: string;
  readonly key: string;
  readonly is_claimed: unknown;
  readonly xact: string;
}

/** Keeps keys in a table of the database. `sleep` waits while the database is unavailable. */
export function postgresStore(db: PostgresDatabase, sleep: (ms: number) => Promise<void>): DatabaseStore {
  const patience: Patience = { isPassing, lookMs: 100, longestMs: 10_000, sleep };

  const setup = async (): Promise<void> => {
    await patiently(() => db.query(SET_UP), patience);
  };

  /** Runs a statement that may safely run twice. Creates the table if it is missing. */
  const query = async (text: string, values: string[]): Promise<readonly unknown[]> => {
    const run = () => patiently(() => db.query(text, values), patience);
    try {
      return (await run()).rows;
    } catch (error) {
      if ((Object(error) as { readonly code?: unknown }).code !== UNDEFINED_TABLE) throw error;
      await setup();
      return (await run()).rows;
    }
  };

  const record = async (records: readonly JournalRecord[]): Promise<void> => {
    for (const group of groupsOf(records)) {
      const rows = group.map(({ namespace, key, stream, attempt, state, messageIds }) => {
        return { namespace, key, stream, attempt, state, message_ids: JSON.stringify(messageIds) };
      });
      await query(RECORD, [JSON.stringify(rows)]);
    }
  };

  /** Throws unless the transaction of a claim is committed: no request may be sent before. */
  const checkCommitted = async (xact: string, claims: readonly JournalClaim[]): Promise<void> => {
    const [row] = (await query(XACT_STATUS, [xact])) as readonly { readonly status: unknown }[];
    if (row?.status === 'committed') return;
    // Frees the keys if that transaction is committed later.
    await record(claims.map((claim) => ({ ...claim, state: 'released', messageIds: [] }))).catch(
      () => undefined,
    );
    throw new Error(
      'The claim is not committed, because its connection is inside a transaction: give the journal a pool, or a connection of its own.',
    );
  };

  /** Claims different keys. */
  const claimGroup = async (
    claims: readonly JournalClaim[],
  ): Promise<Map<string, JournalEntry | undefined>> => {
    const rows = claims.map((claim) => {
      const { namespace, key, hash, stream, attempt, leaseMs, over } = isolated(claim);
      return { namespace, key, hash, stream, attempt, over, lease_ms: Math.ceil(leaseMs) };
    });
    const answered = (await query(CLAIM, [
      JSON.stringify(rows),
      crypto.randomUUID(),
    ])) as readonly ClaimedRow[];
    const isClaimed = (row: ClaimedRow) => Number(row.is_claimed) === 1;
    const claimed = answered.find(isClaimed);
    if (claimed) await checkCommitted(claimed.xact, claims);
    return new Map(answered.map((row) => [idOf(row), isClaimed(row) ? undefined : entryOf(row)]));
  };

  return {
    setup,
    record,
    async claim(claims) {
      const entries = new Map<JournalClaim, JournalEntry | undefined>();
      for (const group of groupsOf(claims)) {
        const byId = await claimGroup(group);
        for (const claim of group) entries.set(claim, byId.get(idOf(claim)));
      }
      return claims.map((claim) => entries.get(claim));
    },
    open: async (namespace) => (await query(OPEN, [namespace])).map(entryOf),
    claimed: async (namespace) => (await query(CLAIMED, [namespace])).map(entryOf),
    async free(namespace, keys, maybeSent) {
      const open = await query(OPEN_OF_THESE, [namespace, JSON.stringify(keys)]);
      const rows = await query(FREE, [namespace, JSON.stringify(open), String(maybeSent)]);
      return rows.map((row) => (row as { readonly key: string }).key);
    },
    async forget(namespace, before) {
      let forgotten = 0;
      for (let last: string | null = ''; last !== null;) {
        const [row] = (await query(FORGET, [namespace, last, String(Math.floor(before))])) as readonly {
          readonly last: string | null;
          readonly forgotten: unknown;
        }[];
        forgotten += Number(row?.forgotten ?? 0);
        last = row?.last ?? null;
      }
      return forgotten;
    },
  };
}
