import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { postgresDeliveriesSchema } from '../../src/entries/journal/deliveries/postgres-schema.ts';
import { SQLITE_DELIVERIES_SCHEMA } from '../../src/entries/journal/deliveries/sqlite-schema.ts';
import { DELIVERIES, EVENTS } from '../../src/entries/journal/deliveries/tables.ts';
import { postgresSchema } from '../../src/entries/journal/postgres-schema.ts';
import { FORGOTTEN_IDS, TABLE } from '../../src/entries/journal/rows.ts';
import { SQLITE_SCHEMA } from '../../src/entries/journal/sqlite-schema.ts';
import { withRows } from '../support/written-rows.ts';
import { root } from './snippets.ts';

const GUIDE = `${root}docs/webhooks.md`;

/** The meaning of each column. */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [TABLE]: {
    namespace: 'the namespace of the journal',
    key: 'the key of the email',
    hash: 'a hash of the content',
    stream: '`transactional`, `bulk` or `sandbox`',
    state: '`claimed`, `accepted`, `unknown` or `released`',
    attempt: 'the id of the last attempt',
    over: 'the attempt that the last claim took over',
    claim_id: 'the id of the last claim',
    maybe_sent: 'whether a request may have reached the service',
    claimed_at: 'the time of the last claim',
    lease_ends_at: 'the end of the claim, unless its process renews it',
    changed_at: 'the time of the last change',
    message_ids: 'the ids of the accepted copies, as JSON',
  },
  [FORGOTTEN_IDS]: {
    hash: 'a hash of the id of a message whose key was forgotten',
    day: 'the day on which the key was forgotten; in SQLite, in days since 1970',
  },
  [DELIVERIES]: {
    namespace: 'the namespace of the deliveries',
    message_id: 'the id of the copy',
    key: 'the key of the email, if it has one',
    recipient: 'the address, or its hash: see the option `addresses`; null if it is unknown or was forgotten',
    stream: '`transactional` or `bulk`; null if unknown',
    status: 'the delivery status',
    status_at: 'the time of the event that decided the status',
    last_at: 'the time of the last event',
    variables: 'the custom variables, as JSON',
    is_forgotten: 'whether the recipient was forgotten',
  },
  [EVENTS]: {
    namespace: 'the namespace of the deliveries',
    message_id: 'the id of the copy',
    identity: 'identifies the event among those of its message',
    moment: 'type, second and link of the event',
    type: 'the type of the event',
    at: 'the time of the event',
    is_untimed: 'whether the event had no time, so that `at` is that of its post',
    code: 'the status code of the mail server of the recipient',
    category: 'the category of a bounce',
    text: 'the response of that mail server, or the reason of the service',
    url: 'the clicked link',
  },
};

/** The columns of a table in a schema, with their types. */
function columnsIn(schema: string, table: string): Map<string, string> {
  const body = schema.split(`CREATE TABLE IF NOT EXISTS ${table} (`)[1]?.split('\n)')[0] ?? '';
  return new Map(
    [...body.matchAll(/^ {2}([a-z_]+) (\w+)/gm)].map(([, name = '', type = '']) => [
      name,
      type.toLowerCase(),
    ]),
  );
}

test('docs/webhooks.md has every column of the public tables', async () => {
  const rows = Object.entries(MEANINGS).flatMap(([table, meanings]) => {
    const sqlite = columnsIn(SQLITE_SCHEMA + SQLITE_DELIVERIES_SCHEMA, table);
    const postgres = columnsIn(postgresSchema() + postgresDeliveriesSchema(), table);
    expect([...new Set([...postgres.keys(), ...sqlite.keys()])].sort()).toEqual(Object.keys(meanings).sort());
    return Object.entries(meanings).map(
      ([name, meaning]) =>
        `| \`${table}\` | \`${name}\` | ${sqlite.get(name) ?? ''} | ${postgres.get(name) ?? ''} | ${meaning} |`,
    );
  });
  const head = ['| table | column | SQLite | Postgres | meaning |', '| --- | --- | --- | --- | --- |'];
  const guide = await withRows(readFileSync(GUIDE, 'utf8'), 'tables', [...head, ...rows]);
  await expect(guide).toMatchFileSnapshot(GUIDE);
});
