/**
 * The statements of a journal in Postgres, for a table. One statement changes many keys, and the database commits it by
 * itself. It locks rows in the order of their keys, so that two statements cannot deadlock. The clock is the database's.
 */

import { XACT } from './postgres-table.ts';
import { DAYS_REMEMBERED, FORGOTTEN_IDS, TABLE } from './rows.ts';

/** The table of hashes beside a journal's table, in the same schema. */
const forgottenIds = (table: string) => table.slice(0, -TABLE.length) + FORGOTTEN_IDS;

/** The hash by which an id is remembered: see `rememberedAs`. */
const hashOf = (namespace: string, id: string) =>
  `sha256(convert_to(${namespace} || chr(10) || ${id}, 'UTF8'))`;

const TODAY = `(clock_timestamp() AT TIME ZONE 'UTC')::date`;

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
export const claimIn = (
  table: string,
): string => `INSERT INTO ${table} AS j (namespace, key, hash, stream, state, attempt, over, claim_id,
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
  RETURNING ${COLUMNS}, (claim_id = $2::text::uuid AND state = 'claimed')::int AS is_claimed, ${XACT}`;

/**
 * `accepted` is final, from any source: the attempt with the claim (which may have more ids than the others), the
 * email log, or an event. An id of a forgotten key's email accepts nothing: of several records of a key, the first one
 * without such an id counts. Without the condition, the statement changes nothing.
 */
export const recordIn = (table: string, parameter = '$1', condition = 'true'): string => `WITH
  r AS MATERIALIZED (SELECT DISTINCT ON (namespace, key) * FROM (
    SELECT given.*, EXISTS (SELECT FROM json_array_elements_text(given.message_ids::json) AS id
      JOIN ${forgottenIds(table)} AS f ON f.hash = ${hashOf('given.namespace', 'id')}) AS is_forgotten
    FROM ROWS FROM (json_to_recordset(${parameter}::text::json)
      AS (namespace text, key text, stream text, attempt text, state text, message_ids text)) WITH ORDINALITY
      AS given (namespace, key, stream, attempt, state, message_ids, number) WHERE ${condition}) AS all_given
    ORDER BY namespace, key, is_forgotten, number),
  locked AS MATERIALIZED (SELECT j.namespace, j.key FROM ${table} AS j JOIN r USING (namespace, key)
    ORDER BY j.namespace, j.key FOR UPDATE OF j)
  UPDATE ${table} AS j SET
    state = CASE WHEN r.state = 'released' AND j.maybe_sent THEN 'unknown' ELSE r.state END,
    message_ids = CASE r.state WHEN 'accepted' THEN r.message_ids ELSE j.message_ids END,
    lease_ends_at = CASE r.state WHEN 'released' THEN clock_timestamp() ELSE j.lease_ends_at END,
    changed_at = clock_timestamp()
  FROM r JOIN locked USING (namespace, key)
  WHERE j.namespace = r.namespace AND j.key = r.key AND j.stream = r.stream
  AND NOT r.is_forgotten AND CASE r.state
    WHEN 'accepted' THEN CASE j.state
      WHEN 'accepted' THEN j.attempt = r.attempt
        AND json_array_length(r.message_ids::json) > json_array_length(j.message_ids::json)
      WHEN 'released' THEN j.attempt = r.attempt OR j.maybe_sent
      ELSE true END
    ELSE j.state = 'claimed' AND j.attempt = r.attempt END`;

const IS_OPEN = `(j.state = 'unknown' OR (j.state = 'claimed' AND j.lease_ends_at <= clock_timestamp()))`;

export const openIn = (table: string): string =>
  `SELECT ${COLUMNS} FROM ${table} AS j WHERE namespace = $1 AND state IN ('claimed', 'unknown') AND ${IS_OPEN}`;

export const claimedIn = (
  table: string,
): string => `SELECT ${COLUMNS} FROM ${table} WHERE namespace = $1 AND state = 'claimed'
  AND lease_ends_at > clock_timestamp()`;

export const openOfTheseIn = (
  table: string,
): string => `SELECT key, attempt FROM ${table} AS j WHERE namespace = $1
  AND key IN (SELECT json_array_elements_text($2::text::json)) AND ${IS_OPEN}`;

/**
 * `maybe_sent` keeps the fact that the email may have been sent, until it is accepted. The statement frees a key only
 * for the attempt that left it open: if it runs again after a broken connection, another attempt may have claimed the
 * key.
 */
export const freeIn = (table: string): string => `WITH
  opened AS MATERIALIZED (SELECT * FROM json_to_recordset($2::text::json) AS o (key text, attempt text)),
  locked AS MATERIALIZED (SELECT key, attempt FROM ${table} JOIN opened USING (key, attempt)
    WHERE namespace = $1 ORDER BY key FOR UPDATE)
  UPDATE ${table} AS j SET state = 'released', maybe_sent = $3::text::boolean,
    lease_ends_at = clock_timestamp(), changed_at = clock_timestamp()
  FROM locked WHERE j.namespace = $1 AND j.key = locked.key AND j.attempt = locked.attempt
    AND (j.state = 'released' OR ${IS_OPEN})
  RETURNING j.key`;

/** Keys per statement of `forget`. A short statement commits soon, so that claims do not wait long. */
const FORGET_AT_ONCE = 5_000;

export const forgetIn = (table: string): string => `WITH
  looked_at AS MATERIALIZED (SELECT key FROM ${table} WHERE namespace = $1 AND key > $2 ORDER BY key
    LIMIT ${FORGET_AT_ONCE}),
  forgotten AS (DELETE FROM ${table} AS j USING looked_at
    WHERE j.namespace = $1 AND j.key = looked_at.key
      AND j.changed_at < to_timestamp($3::text::float8 / 1000)
      AND NOT (j.state = 'claimed' AND j.lease_ends_at > clock_timestamp())
    RETURNING j.message_ids),
  remembered AS (INSERT INTO ${forgottenIds(table)} (hash, day)
    SELECT DISTINCT ${hashOf('$1', 'id')} AS hash, ${TODAY}
      FROM forgotten CROSS JOIN json_array_elements_text(forgotten.message_ids::json) AS id ORDER BY hash
    ON CONFLICT (hash) DO UPDATE SET day = excluded.day)
  SELECT (SELECT max(key) FROM looked_at) AS last, (SELECT count(*) FROM forgotten)::int AS forgotten`;

export const endMemoryIn = (table: string): string =>
  `DELETE FROM ${forgottenIds(table)} WHERE day < ${TODAY} - ${DAYS_REMEMBERED}`;
