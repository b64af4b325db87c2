import { ConnectionError, type EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../entries/journal/memory-store.ts';
import { rejection } from '../support/expect-error.ts';
import { failure, json, lost, scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

const mail = { from: 'a@example.com', to: 'b@example.com', subject: 'Hi', text: 'Hi' };
const hosts = { api: 'https://api.test', send: 'https://send.test', bulk: 'https://bulk.test' };
const steering = () =>
  Object.assign(new Error('Dynamic server usage: cookies'), { digest: 'DYNAMIC_SERVER_USAGE' });

const THROWN: Readonly<Record<string, () => unknown>> = {
  'an error with a digest': steering,
  'a promise': () => new Promise(() => undefined),
};

const CALLS: Readonly<Record<string, (client: EmailPlatform) => PromiseLike<unknown>>> = {
  'a read': (client) => client.campaigns.get(1),
  'a page': (client) => client.campaigns.list(),
  'every page': async (client) => {
    for await (const { id } of client.campaigns.list()) expect.unreachable(String(id));
  },
  'client.request': (client) => client.request({ method: 'GET', path: '/api/anything' }),
  'a send': (client) => client.sending.send(mail),
  'the totals of batchAll': (client) => client.sending.batchAll([mail]),
  'the loop of batchAll': async (client) => {
    const seen: unknown[] = [];
    try {
      for await (const { status } of client.sending.batchAll([mail, mail])) seen.push(status);
    } finally {
      expect(seen).toEqual(['unknown', 'unknown']);
    }
  },
  'a run of imports': async (client) => {
    for await (const outcome of client.contacts.imports.run([{ email: 'a@example.com' }]))
      expect.unreachable(outcome.status);
  },
  'a wait': (client) => client.contacts.imports.waitUntilFinished(1),
};

/** What a call throws, in a list: a promise is not awaited there. */
const failed = (promise: PromiseLike<unknown>): Promise<unknown[]> =>
  Promise.resolve(promise).then(
    () => [],
    (reason: unknown) => [reason],
  );

function setUp(turns: readonly [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  return { ...virtualClient({ hosts, fetch, ...options }), sent };
}

describe.each(Object.entries(THROWN))('%s reaches the framework as it was thrown', (_, create) => {
  test.each(Object.entries(CALLS))('by fetch, in %s, which is tried once', async (_call, run) => {
    const thrown = create();
    const { client, time, sent } = setUp([failure(thrown)]);
    const [reason] = await throughItsWaits(time, failed(run(client)));
    expect(reason).toBe(thrown);
    expect(sent).toHaveLength(1);
  });

  test('by the token function', async () => {
    const thrown = create();
    const token = () => {
      throw thrown;
    };
    const { client, sent } = setUp([lost], { token });
    const [reason] = await failed(client.campaigns.get(1));
    expect(reason).toBe(thrown);
    expect(sent).toHaveLength(0);
  });

  test('and the record of a key says what it says after any failure', async () => {
    const store = new MemoryStore();
    const journal = createJournal(store);
    const byFetch = setUp([failure(create())], { journal }).client;
    await failed(byFetch.sending.send(mail, { idempotencyKey: 'fetch' }));
    const token = () => {
      throw create();
    };
    const byToken = setUp([lost], { journal, token }).client;
    await failed(byToken.sending.send(mail, { idempotencyKey: 'token' }));
    expect([store.state('fetch'), store.state('token')]).toEqual(['unknown', 'released']);
  });

  test('also from the search for a key in the log, which sends nothing', async () => {
    const thrown = create();
    const store = new MemoryStore();
    const { client, time, sent } = setUp([lost, failure(thrown)], { journal: createJournal(store) });
    const send = () => failed(client.sending.send(mail, { idempotencyKey: 'key' }));
    await send();
    const [reason] = await throughItsWaits(time, send());
    expect(reason).toBe(thrown);
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(store.state('key')).toBe('unknown');
  });

  test('also after an attempt that was lost', async () => {
    const thrown = create();
    const { client, time, sent } = setUp([lost, failure(thrown)]);
    const [reason] = await throughItsWaits(time, failed(client.campaigns.get(1)));
    expect(reason).toBe(thrown);
    expect(sent).toHaveLength(2);
  });

  test('also from the read that settles a lost action', async () => {
    const thrown = create();
    const refused = json(422, { errors: 'The campaign is not a draft.' });
    const { client, time, sent } = setUp([lost, refused, failure(thrown)]);
    const [reason] = await throughItsWaits(time, failed(client.campaigns.start(1)));
    expect(reason).toBe(thrown);
    expect(sent).toHaveLength(3);
  });
});

test('A hook that throws such an error breaks no call, and hooks see an error of the client', async () => {
  const ends: EmailPlatform.EndEvent[] = [];
  const onRequest = () => {
    throw steering();
  };
  const hooks = { onRequest, onEnd: (event: EmailPlatform.EndEvent) => void ends.push(event) };
  const { client } = setUp([json(200, { data: { id: 1 } }), failure(steering())], { hooks });
  expect(await client.campaigns.get(1)).toEqual({ id: 1 });
  await failed(client.campaigns.get(1));
  expect(ends.map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed']);
  expect(ends[1]?.error).toBeInstanceOf(ConnectionError);
});

test('An error whose digest is not a text is an error of the network', async () => {
  const { client } = setUp([failure(Object.assign(new Error('x'), { digest: new Uint8Array() }))], {
    retry: false,
  });
  await rejection(client.campaigns.get(1), ConnectionError);
});
