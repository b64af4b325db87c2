/**
 * The statements of deliveries in Postgres. Each is committed by itself, and may run again after a broken connection.
 * A record writes messages before events, in the order of their ids, so that two records cannot deadlock.
 */
import { recordIn as settleIn } from '../postgres-statements.ts';
import { XACT } from '../postgres-table.ts';
import { rankIn } from './status.ts';
import { FORGOTTEN, GENERATION, PRUNED } from './tables.ts';

/** The names of the tables, with their schema. */
export interface Tables {
  readonly deliveries: string;
  readonly events: string;
  readonly notes: string;
  readonly journal: string;
}

const OUTRANKS = `${rankIn('excluded.status')} > ${rankIn('d.status')}`;

/** Whether one of these hashes, a JSON list, is of a forgotten recipient. */
const isNoted = (notes: string, ids: string) => `EXISTS (SELECT FROM json_array_elements_text(${ids}) AS id
      JOIN ${notes} AS n ON n.namespace = $1 AND n.name = '${FORGOTTEN}' || id)`;

const mark = (notes: string) =>
  `(SELECT value::bigint FROM ${notes} WHERE namespace = $1 AND name = '${PRUNED}')`;

/**
 * Records messages ($2) with their events ($3), and settles keys ($4) of the journal.
 *
 * The rows that are written are those of the statement's start, except where a conflict shows a later one: then `DO
 * UPDATE` and `DO NOTHING` wait for the other statement, and see what it has written. A statement that began before
 * `forget` or `prune` noted its moment would write what they remove. So they wait until no record runs that holds the
 * generation, and a record that holds a later generation than it began with changes nothing. It has to run again.
 *
 * A message that `prune` is about to delete counts as deleted.
 */
export const recordIn = ({ deliveries, events, notes, journal }: Tables, hasKeys: boolean): string => `WITH
  held AS MATERIALIZED (SELECT value FROM ${notes} WHERE namespace = $1 AND name = '${GENERATION}' FOR SHARE),
  seen AS MATERIALIZED (SELECT value FROM ${notes} WHERE namespace = $1 AND name = '${GENERATION}'),
  now AS MATERIALIZED (SELECT EXISTS (SELECT FROM held JOIN seen USING (value)) AS is_current),
  m AS MATERIALIZED (SELECT * FROM json_to_recordset($2::text::json) AS m (message_id text, key text, recipient text,
    recipient_ids json, key_ids json, stream text, status text, status_at bigint, last_at bigint, variables text,
    has_events boolean) WHERE (SELECT is_current FROM now)),
  e AS MATERIALIZED (SELECT * FROM json_to_recordset($3::text::json) AS e (message_id text, identity text, moment text,
    type text, at bigint, is_untimed int, code text, category text, text text, url text)),
  stored AS MATERIALIZED (SELECT s.message_id, s.identity, s.moment FROM ${events} AS s
    JOIN m USING (message_id) WHERE s.namespace = $1 AND (s.message_id, s.moment) IN (SELECT message_id, moment FROM e)
    UNION SELECT s.message_id, s.identity, s.moment FROM ${events} AS s
    JOIN e USING (message_id, identity) WHERE s.namespace = $1),
  kept AS MATERIALIZED (SELECT m.*, coalesce(d.is_forgotten, false) AS was_forgotten,
      coalesce(d.is_forgotten, false) OR ${isNoted(notes, 'm.recipient_ids')} AS is_forgotten,
      ${isNoted(notes, 'm.key_ids')} AS is_key_forgotten
    FROM m LEFT JOIN ${deliveries} AS d ON d.namespace = $1 AND d.message_id = m.message_id
    WHERE d.last_at >= coalesce(${mark(notes)}, d.last_at) OR (
      m.last_at >= coalesce(${mark(notes)}, m.last_at)
      AND (NOT m.has_events OR EXISTS (SELECT FROM e WHERE e.message_id = m.message_id
        AND (e.message_id, e.identity) NOT IN (SELECT message_id, identity FROM stored))))),
  saved AS (INSERT INTO ${deliveries} AS d (namespace, message_id, key, recipient, stream, status, status_at, last_at,
      variables, is_forgotten)
    SELECT $1, message_id, CASE WHEN NOT is_key_forgotten AND NOT (is_forgotten AND position('@' IN key) > 0) THEN key END,
      CASE WHEN NOT is_forgotten THEN recipient END, stream, status, status_at, last_at,
      CASE WHEN NOT is_forgotten THEN variables END, is_forgotten FROM kept ORDER BY message_id COLLATE "C"
    ON CONFLICT (namespace, message_id) DO UPDATE SET
      key = CASE WHEN d.is_forgotten THEN coalesce(d.key, CASE WHEN position('@' IN excluded.key) = 0 THEN excluded.key END)
        WHEN excluded.is_forgotten AND position('@' IN d.key) > 0 THEN NULL
        ELSE coalesce(d.key, excluded.key) END,
      recipient = CASE WHEN NOT d.is_forgotten AND NOT excluded.is_forgotten THEN coalesce(d.recipient, excluded.recipient) END,
      stream = coalesce(d.stream, excluded.stream),
      variables = CASE WHEN NOT d.is_forgotten AND NOT excluded.is_forgotten THEN coalesce(d.variables, excluded.variables) END,
      is_forgotten = d.is_forgotten OR excluded.is_forgotten,
      last_at = greatest(d.last_at, excluded.last_at),
      status_at = CASE WHEN ${OUTRANKS} THEN excluded.status_at
        WHEN excluded.status = d.status THEN least(d.status_at, excluded.status_at)
        ELSE d.status_at END,
      status = CASE WHEN ${OUTRANKS} THEN excluded.status ELSE d.status END
    RETURNING message_id, is_forgotten),
  cleared AS (UPDATE ${events} SET text = NULL, url = NULL WHERE namespace = $1
    AND message_id IN (SELECT message_id FROM kept WHERE is_forgotten AND NOT was_forgotten)),
  added AS (INSERT INTO ${events} (namespace, message_id, identity, moment, type, at, is_untimed, code, category, text, url)
    SELECT $1, e.message_id, e.identity, e.moment, e.type, e.at, e.is_untimed = 1, e.code, e.category,
      CASE WHEN NOT saved.is_forgotten THEN e.text END, CASE WHEN NOT saved.is_forgotten THEN e.url END
    FROM e JOIN saved USING (message_id)
    ORDER BY e.message_id COLLATE "C", e.identity COLLATE "C"
    ON CONFLICT DO NOTHING RETURNING message_id, identity, moment)${
      hasKeys
        ? `,\n  settled AS (${settleIn(journal, '$4', '(SELECT is_current FROM now)')} RETURNING 1)`
        : ''
    },
  traces AS (SELECT message_id, identity, moment, 1 AS is_new FROM added
    UNION ALL SELECT message_id, identity, moment, 0 FROM (
      SELECT message_id, identity, moment FROM stored
        WHERE message_id IN (SELECT message_id FROM kept) OR (message_id, identity) IN (SELECT message_id, identity FROM e)
      UNION SELECT e.message_id, e.identity, e.moment FROM e JOIN kept USING (message_id)) AS others
    WHERE (message_id, identity) NOT IN (SELECT message_id, identity FROM added))
  SELECT is_current::int, ${XACT}, coalesce((SELECT json_agg(traces) FROM traces)::text, '[]') AS traces FROM now`;

/** Adds the generation, unless it is there. */
export const generationIn = ({ notes }: Tables): string =>
  `INSERT INTO ${notes} (namespace, name, value) VALUES ($1, '${GENERATION}', '0') ON CONFLICT DO NOTHING`;

/** Ends a generation together with a further change of the notes. */
const afterGeneration = (notes: string, change: string) => `WITH
  generation AS (INSERT INTO ${notes} AS n (namespace, name, value) VALUES ($1, '${GENERATION}', '1')
    ON CONFLICT (namespace, name) DO UPDATE SET value = (n.value::bigint + 1)::text),
  changed AS (${change})
  SELECT ${XACT}`;

/** The messages of a condition, with JSON of their events. */
const messagesIn = ({ deliveries, events }: Tables, condition: string) =>
  `SELECT d.message_id, d.key, d.recipient, d.stream, d.status, d.status_at, d.last_at, d.variables,
    coalesce((SELECT json_agg(json_build_object('identity', e.identity, 'moment', e.moment, 'type', e.type, 'at', e.at,
        'is_untimed', e.is_untimed::int, 'code', e.code, 'category', e.category, 'text', e.text, 'url', e.url))
      FROM ${events} AS e WHERE e.namespace = d.namespace AND e.message_id = d.message_id)::text, '[]') AS events
  FROM ${deliveries} AS d WHERE d.namespace = $1 AND ${condition}`;

export const getIn = (tables: Tables): string =>
  messagesIn(tables, 'd.message_id IN (SELECT json_array_elements_text($2::text::json))');

export const withKeyIn = (tables: Tables): string => messagesIn(tables, 'd.key = $2');

/** The conditions of a list are numbered from $2; the limit is the last value. */
export const listIn = (tables: Tables, conditions: readonly string[], limit: string): string =>
  `${messagesIn(tables, ['true', ...conditions].join(' AND '))}
  ORDER BY d.last_at DESC, d.message_id DESC LIMIT ${limit}::text::bigint`;

export const idsOfKeyIn = ({ journal }: Tables): string =>
  `SELECT message_ids FROM ${journal} WHERE namespace = $1 AND key = $2 AND state = 'accepted'`;

/** Notes the hash $2 of a forgotten recipient. */
export const forgetIn = ({ notes }: Tables): string =>
  afterGeneration(
    notes,
    `INSERT INTO ${notes} (namespace, name, value) VALUES ($1, '${FORGOTTEN}' || $2::text, '') ON CONFLICT DO NOTHING`,
  );

/** Keys that are read at once. */
export const KEYS_AT_ONCE = 10_000;

/** Keys that may contain an address, after the key $2. */
export const addressKeysIn = ({ deliveries }: Tables): string => `SELECT DISTINCT key FROM ${deliveries}
  WHERE namespace = $1 AND key > $2 AND position('@' IN key) > 0 ORDER BY key LIMIT ${KEYS_AT_ONCE}`;

/** Removes a recipient, in all forms ($2), and the keys ($3) that contain the address. */
export const removeIn = ({ deliveries, events }: Tables): string => {
  const isTheirs = `d.recipient = ANY (ARRAY(SELECT json_array_elements_text($2::text::json)))`;
  const hasKey = `d.key = ANY (ARRAY(SELECT json_array_elements_text($3::text::json)))`;
  return `WITH
  found AS MATERIALIZED (SELECT message_id FROM ${deliveries} AS d WHERE namespace = $1 AND (${isTheirs} OR ${hasKey})
    ORDER BY message_id FOR UPDATE),
  removed AS (UPDATE ${deliveries} AS d SET
      recipient = CASE WHEN ${isTheirs} THEN NULL ELSE d.recipient END,
      variables = CASE WHEN d.recipient IS NULL OR ${isTheirs} THEN NULL ELSE d.variables END,
      is_forgotten = d.is_forgotten OR coalesce(${isTheirs}, false),
      key = CASE WHEN ${hasKey} THEN NULL ELSE d.key END
    FROM found WHERE d.namespace = $1 AND d.message_id = found.message_id RETURNING d.message_id, d.recipient),
  cleared AS (UPDATE ${events} SET text = NULL, url = NULL
    WHERE namespace = $1 AND message_id IN (SELECT message_id FROM removed WHERE recipient IS NULL))
  SELECT count(*)::int AS count FROM removed`;
};

/** Removes what was recorded about a message, without its recipient, while the recipient was removed. */
export const clearIn = ({
  deliveries,
  events,
}: Tables): string => `UPDATE ${events} SET text = NULL, url = NULL
  WHERE namespace = $1 AND (text IS NOT NULL OR url IS NOT NULL)
  AND message_id IN (SELECT message_id FROM ${deliveries} WHERE namespace = $1 AND is_forgotten)`;

export const notedIn = ({ notes }: Tables): string =>
  `SELECT value FROM ${notes} WHERE namespace = $1 AND name = $2`;

export const noteIn = ({ notes }: Tables): string =>
  `INSERT INTO ${notes} (namespace, name, value) VALUES ($1, $2, $3)
  ON CONFLICT (namespace, name) DO UPDATE SET value = excluded.value`;

export const unnoteIn = ({ notes }: Tables): string =>
  `DELETE FROM ${notes} WHERE namespace = $1 AND name = $2`;

/** Keeps the latest moment: another process may have pruned further. */
export const markIn = ({ notes }: Tables): string =>
  afterGeneration(
    notes,
    `INSERT INTO ${notes} AS n (namespace, name, value) VALUES ($1, '${PRUNED}', $2)
    ON CONFLICT (namespace, name) DO UPDATE SET value = greatest(n.value::bigint, excluded.value::bigint)::text`,
  );

/** Messages per statement of `prune`. A short statement commits soon, so that records do not wait long. */
const PRUNE_AT_ONCE = 5_000;

export const pruneIn = ({ deliveries, events }: Tables): string => `WITH
  oldest AS MATERIALIZED (SELECT message_id FROM ${deliveries} WHERE namespace = $1 AND last_at < $2::text::bigint
    ORDER BY last_at LIMIT ${PRUNE_AT_ONCE}),
  pruned AS (DELETE FROM ${deliveries} AS d USING oldest WHERE d.namespace = $1 AND d.message_id = oldest.message_id
    AND d.last_at < $2::text::bigint RETURNING d.message_id),
  deleted AS (DELETE FROM ${events} WHERE namespace = $1 AND message_id IN (SELECT message_id FROM pruned)
    AND NOT is_untimed),
  cleared AS (UPDATE ${events} SET text = NULL, url = NULL
    WHERE namespace = $1 AND message_id IN (SELECT message_id FROM pruned) AND is_untimed)
  SELECT (SELECT count(*) FROM oldest)::int AS seen, (SELECT count(*) FROM pruned)::int AS pruned`;
