import { describe, expect, test } from 'vitest';
import { isFull, SEED, sized } from '../support/extent.ts';
import { random } from '../support/random.ts';
import { fromPage, proxyOf } from '../entries/proxy/harness.ts';
import { json, lost, scriptedFetch } from '../support/scripted-fetch.ts';
import { good } from './answer-faults.ts';
import { isolated } from '../../src/core/isolated.ts';
import type { Call } from '../support/calls/call.ts';
import { CALLS } from '../support/calls/calls.ts';
import { outcomeOf, throughEverything, worldOf, type Outcome } from './cell.ts';
import { inheriting } from './inheriting.ts';
import { clientSources, namesInSources } from './names-in-sources.ts';

const URL_OF_API = 'https://api.test';

const VALUES = ['bulk', true, 7, { evil: 1 }];

const METHODS = [
  'inbound.messages.forward',
  'campaigns.list',
  'sending.send',
  'sending.batch',
  'accounts.accesses.list',
];
const calls = CALLS.filter(({ name }) => (isFull ? name !== 'campaigns.schedule' : METHODS.includes(name)));

interface Seen {
  readonly sent: string;
  readonly outcome: string;
}

const textOf = (outcome: Outcome) => {
  if (outcome.kind === 'error') return `error ${String(outcome.error)}`;
  return outcome.kind === 'result' ? JSON.stringify(outcome.value ?? null) : outcome.kind;
};

/** Names of limits, of options, and of fields of results: each once changed what was sent, how long it took or what came. */
const ONCE_FOUND = [
  ...[
    'token',
    'contacts',
    'now',
    'onAbort',
    'remaining',
    'recipientRules',
    'accountId',
    'deadlineMs',
    'stream',
  ],
  ...[
    'template_variables',
    'subject',
    'errors',
    'success',
    'message_ids',
    'query',
    'schema',
    'template',
    'limit',
  ],
];

/**
 * The language, Node and the runner of these tests look these up in objects of their own, and fail: an iterator's `return`, a
 * property descriptor's `get` and `set`, a stream's `cancel`, a signal's `aborted`, and the like.
 */
const OF_THE_PLATFORM = new Set([
  ...[
    'aborted',
    'cancel',
    'error',
    'get',
    'headers',
    'importScripts',
    'onRequest',
    'return',
    'set',
    'signal',
    'then',
  ],
]);

/** Calls of every kind: reads and writes, lists, files, emails, and those that take several requests. */
const KINDS = [
  ...['campaigns.list', 'campaigns.create', 'campaigns.update', 'campaigns.start', 'templates.delete'],
  ...['contacts.create', 'contacts.exports.waitUntilFinished', 'suppressions.list', 'stats.get'],
  ...['sending.send', 'sending.batch', 'sending.batchAll', 'emailLogs.list', 'emailLogs.get'],
  ...[
    'inbound.messages.forward',
    'inbound.messages.reply',
    'emailLogs.downloadRaw',
    'sandbox.messages.waitFor',
    'accounts.accesses.list',
    'request (POST)',
    'sending.send (with a key)',
    'sending.batchAll (with a key)',
  ],
];

/**
 * Names that our sources look up: those that were once found, and some of the others, which all take minutes. They are
 * in a few of the sources, because it takes seconds to parse all of them.
 */
function namesToTry(): readonly string[] {
  const next = random(SEED ?? Date.now());
  function shuffled<T>(all: readonly T[]): T[] {
    const ranked = all.map((one) => ({ one, rank: next() }));
    return ranked.sort((one, other) => one.rank - other.rank).map(({ one }) => one);
  }
  const some = shuffled(clientSources()).slice(0, sized(Infinity, 10));
  const others = shuffled(namesInSources(some).filter((name) => !OF_THE_PLATFORM.has(name)));
  return [...new Set([...ONCE_FOUND, ...others.slice(0, sized(200, 8))])];
}

/** The requests and the outcome of a call. */
async function seen(call: Call): Promise<Seen> {
  const { fetch, sent } = scriptedFetch(good(call));
  const { client, time } = worldOf(URL_OF_API, { fetch });
  const promise = call.run(client, isolated({}), { text: 'x', url: URL_OF_API });
  const outcome = await throughEverything(time, outcomeOf(promise));
  const requests = sent.map(({ method, url, body, redirect, headers }) => [
    ...[method, url, body, redirect, headers.get('authorization'), headers.get('content-type')],
  ]);
  return { sent: JSON.stringify(requests), outcome: textOf(outcome) };
}

const cleanOnes = new Map<string, Seen>();

/** The same where nothing is inherited. */
async function seenClean(call: Call): Promise<Seen> {
  const clean = cleanOnes.get(call.name) ?? (await seen(call));
  cleanOnes.set(call.name, clean);
  return clean;
}

/** Field names that the client reads from its own data (endpoints, decoders, requests) and from inputs of callers. */
const NAMES = namesInSources([
  'src/core/decoder.ts',
  'src/core/request.ts',
  'src/resources/base/endpoint.ts',
  'src/resources/sending/types.ts',
]).filter((name) => !OF_THE_PLATFORM.has(name));

describe('inherited properties are not fields', () => {
  /** In each run another value for a name and a call; every name meets every value. */
  const turn = Math.floor(random(SEED ?? Date.now())() * VALUES.length);

  test.each(NAMES.map((name, at) => [name, at] as const))('%s', async (name, at) => {
    for (const [index, call] of calls.entries()) {
      const clean = await seenClean(call);
      const value = VALUES[(turn + at + index) % VALUES.length];
      const now = await inheriting({ [name]: value }, () => seen(call));
      expect({ name: call.name, value, ...now }).toEqual({ name: call.name, value, ...clean });
    }
  });

  const ofKinds = CALLS.filter(({ name }) => KINDS.includes(name));

  test.each(namesToTry())('nor does %s, which our sources look up, change a call', async (name) => {
    expect(ofKinds).toHaveLength(KINDS.length);
    for (const [index, call] of ofKinds.entries()) {
      const clean = await seenClean(call);
      const values = ['bulk', { evil: 1 }];
      // Otherwise each name meets a text with every other kind of call, and an object with the rest.
      for (const value of isFull ? values : values.slice((turn + index) % 2, ((turn + index) % 2) + 1)) {
        const now = await inheriting({ [name]: value }, () => seen(call));
        expect({ name: call.name, value, ...now }).toEqual({ name: call.name, value, ...clean });
      }
    }
  });

  test('an email that the service says nothing of is not accepted because every object seems to be a success', async () => {
    const { fetch } = scriptedFetch(json(200, {}));
    const { client, time } = worldOf(URL_OF_API, { fetch });
    const mail = { from: 'a@mail.example.com', to: ['b@example.org'], subject: 'Hi', text: 'Hello' };
    for (const said of [{ success: true }, { message_ids: ['1'] }]) {
      const outcome = await inheriting(said, () =>
        throughEverything(time, outcomeOf(client.sending.send(mail))),
      );
      expect(outcome).toMatchObject({ kind: 'error', error: { code: 'response_format', effect: 'unknown' } });
    }
  });

  test('an email whose attachment has to be encoded is sent, whatever claim every object seems to have', async () => {
    const { fetch, sent } = scriptedFetch(json(200, { success: true, message_ids: ['1'] }));
    const { client, time } = worldOf(URL_OF_API, { fetch });
    const attachments = [{ filename: 'a.txt', content: new TextEncoder().encode('Hello') }];
    const mail = {
      from: 'a@mail.example.com',
      to: ['b@example.org'],
      subject: 'Hi',
      text: 'Hello',
      attachments,
    };
    const send = () => Promise.reject(new Error('It was claimed.'));
    const outcome = await inheriting({ keyed: { send } }, () =>
      throughEverything(time, outcomeOf(client.sending.send(mail))),
    );
    expect(outcome).toMatchObject({ kind: 'result', value: { message_ids: ['1'] } });
    expect(sent).toHaveLength(1);
  });

  test('a deletion is confirmed, whatever failure every object seems to report', async () => {
    const { fetch } = scriptedFetch(json(200, {}));
    const { client, time } = worldOf(URL_OF_API, { fetch });
    for (const said of [{ errors: ['no'] }, { success: false }]) {
      const outcome = await inheriting(said, () =>
        throughEverything(time, outcomeOf(client.contacts.delete('ann@example.org'))),
      );
      expect(outcome).toMatchObject({ kind: 'result' });
    }
  });

  test('a list is read to its end, whatever limit every object seems to have', async () => {
    const { fetch } = scriptedFetch(json(200, [{ id: 1 }, { id: 2 }]));
    const { client, time } = worldOf(URL_OF_API, { fetch });
    const outcome = await inheriting({ limit: 1 }, () =>
      throughEverything(time, outcomeOf(client.templates.list().toArray())),
    );
    expect(outcome).toMatchObject({ kind: 'result', value: [{ id: 1 }, { id: 2 }] });
  });

  test('a derived client keeps its hosts, whatever domain every object seems to have', async () => {
    const { fetch, sent } = scriptedFetch(json(200, []));
    const { client, time } = worldOf(URL_OF_API, { fetch });
    await inheriting({ domain: 'evil.example' }, () =>
      throughEverything(time, outcomeOf(client.withOptions({ hosts: {} }).templates.list())),
    );
    expect(sent.map(({ url }) => new URL(url).origin)).toEqual([URL_OF_API]);
  });

  test('a proxy and its visitors have no option that every object seems to have', async () => {
    const { fetch, sent } = scriptedFetch(json(200, { raw_message_url: 'https://files.test/a?signature=s' }));
    const { client } = worldOf(URL_OF_API, { fetch });
    const polluted = { signedUrls: true, accountId: 9, client: {}, origin: 'https://evil.example' };
    const answer = await inheriting(polluted, () =>
      proxyOf(client).proxy(fromPage('/api/api/email_logs/f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10')),
    );
    expect({ status: answer.status, body: (await answer.json()) as unknown }).toEqual({
      status: 200,
      body: { raw_message_url: null },
    });
    expect(sent[0]?.url).not.toContain('accounts');
  });

  test('an email is not sent a second time because every object seems to be repeatable', async () => {
    const { fetch, sent } = scriptedFetch(lost);
    const { client, time } = worldOf(URL_OF_API, { fetch });
    const mail = { from: 'a@mail.example.com', to: ['b@example.org'], subject: 'Hi', text: 'Hello' };
    const outcome = await inheriting({ repeatable: true }, () =>
      throughEverything(time, outcomeOf(client.sending.send(mail))),
    );
    expect(outcome).toMatchObject({ kind: 'error', error: { effect: 'unknown' } });
    expect(sent).toHaveLength(1);
  });
});
