import { EmailPlatformError, type EmailPlatform } from 'email-platform';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  broken,
  failure,
  json,
  lost,
  refusedConnection,
  scriptedFetch,
  silence,
  type Turn,
} from '../support/scripted-fetch.ts';
import { rejection } from '../support/expect-error.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

const MAIL = { from: { email: 'a@b.test' }, to: [{ email: 'c@d.test' }], subject: 'S', text: 'T' };
const DRAFT = { name: 'N', domain_id: 1, from_local_part: 'x', template_attributes: { subject: 'S' } };

type Run = (client: EmailPlatform) => PromiseLike<unknown>;
const read: Run = (client) => client.campaigns.get(1);
const remove: Run = (client) => client.templates.delete(1);
const act: Run = (client) => client.campaigns.start(1);
const send: Run = (client) => client.sending.send(MAIL);
const create: Run = (client) => client.campaigns.create(DRAFT);
/** A call that waits in the queue until its deadline, because a call without a response has the only permit. */
const queuedCreate: Run = (client) => {
  const throttled = client.withOptions({
    throttle: { limits: { token: { requests: 1, perMs: 10_000 } } },
  });
  void throttled.campaigns.get(1).catch(() => undefined);
  return throttled.campaigns.create(DRAFT, { deadlineMs: 500 });
};
const aborted: Run = (client) => client.campaigns.get(1, { signal: AbortSignal.abort() });

const status = (code: number) => json(code, { errors: ['no'] });
const certificate = failure(broken('CERT_HAS_EXPIRED'));
const lostThen = (code: number): [Turn, ...Turn[]] => [lost, status(code), lost];

/** For each row of the table in docs/errors.md: calls that end like that. */
const SITUATIONS: Record<string, readonly (readonly [Run, Turn | [Turn, ...Turn[]]])[]> = {
  '429, whatever was called': [read, remove, act, send, create].map((run) => [run, status(429)]),
  '408 or 5xx except 501, for a read, a deletion, an update or a campaign action': [
    408, 500, 502, 503, 504,
  ].flatMap((code) => [read, remove, act].map((run) => [run, status(code)] as const)),
  '408 or 5xx, for a `send` or a `create`': [408, 500, 503].flatMap((code) =>
    [send, create].map((run) => [run, status(code)] as const),
  ),
  '501, whatever was called': [read, send].map((run) => [run, status(501)]),
  'the response to a read, a deletion, an update or a campaign action was lost': [
    ...[read, remove, act].map((run) => [run, lost] as const),
    // The client could not find out what happened either.
    [act, lostThen(422)],
  ],
  'the response to a `send` or a `create` was lost': [send, create].map((run) => [run, lost]),
  'no connection was made, whatever was called': [read, remove, act, send, create].map((run) => [
    run,
    refusedConnection,
  ]),
  "the host's certificate was refused": [read, send].map((run) => [run, certificate]),
  'a time limit passed before anything was sent, whatever was called': [[queuedCreate, silence]],
  'a time limit passed after a read, a deletion, an update or a campaign action was sent': [
    read,
    remove,
    act,
  ].map((run) => [run, silence]),
  'a time limit passed after a `send` or a `create` was sent': [send, create].map((run) => [run, silence]),
  '400, 401, 403, 404, 422, a redirect': [400, 401, 403, 404, 422, 302].flatMap((code) =>
    [read, send].map((run) => [run, status(code)] as const),
  ),
  'a 2xx that is not the documented response': [read, send].map((run) => [run, json(200, [])]),
  'your `signal` aborted the call': [[aborted, json(200, {})]],
  'the client refused arguments or options': [[(client) => client.campaigns.get(0), json(200, {})]],
};

const guide = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
const [, table = ''] = /## Is it retryable\?\n([\s\S]*?)\n## /.exec(guide) ?? [];
const rows = [...table.matchAll(/^\| (.+?) +\| `(true|false)` +\|$/gm)].map(
  ([, what = '', value]) => [what, value] as const,
);

test('every row of the table has its calls, and the other way round', () => {
  expect(rows.map(([what]) => what)).toEqual(Object.keys(SITUATIONS));
});

test.each(rows)('isRetryable after %s: %s', async (what, value) => {
  for (const [run, turns] of SITUATIONS[what] ?? []) {
    const script: [Turn, ...Turn[]] = typeof turns === 'function' ? [turns] : turns;
    const { fetch } = scriptedFetch(...script);
    const hosts = { api: 'https://api.test', send: 'https://send.test' };
    const retry = typeof turns === 'function' ? (false as const) : { maxRetries: 1 };
    const { client, time } = virtualClient({ fetch, hosts, retry, timeoutMs: 1_000, deadlineMs: 100_000 });
    const error = await throughItsWaits(time, rejection(run(client), EmailPlatformError));
    expect([error.message, String(error.isRetryable)]).toEqual([error.message, value]);
  }
});
