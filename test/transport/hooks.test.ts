import {
  type EmailPlatform,
  AbortedError,
  ConnectionError,
  EmailPlatformError,
  InvalidRequestError,
  type EmailPlatformOptions,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { json, lost, scriptedFetch, silence, text, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../support/virtual-client.ts';

const found = json(200, { data: { id: 1 } }, { 'x-request-id': 'r-1', 'x-ratelimit-remaining': '7' });
const notFound = json(404, { error: 'Not Found' });

function setUp(turns: [Turn, ...Turn[]], hooks: EmailPlatform.Hooks, options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  const { client, time } = virtualClient({ fetch, hooks, ...options });
  return { client, sent, time, get: () => throughItsWaits(time, client.campaigns.get(1)) };
}

const base = {
  callId: expect.any(String) as unknown,
  operation: 'campaigns.get',
  method: 'GET',
  host: 'api',
  path: '/api/email_campaigns/1',
};

describe('Hooks', () => {
  test('are called before each attempt, after its response, and before each retry', async () => {
    const log: [string, object][] = [];
    const { get, time } = setUp([lost, found], {
      onRequest: (event) => void log.push(['request', event]),
      onResponse: (event) => void log.push(['response', event]),
      onRetry: (event) => void log.push(['retry', event]),
    });
    await get();
    expect(log).toEqual([
      ['request', { ...base, attempt: 1 }],
      [
        'retry',
        {
          ...base,
          attempt: 1,
          reason: 'connection_lost',
          delayMs: 250,
          error: expect.objectContaining({ phase: 'exchange' }) as unknown,
        },
      ],
      ['request', { ...base, attempt: 2 }],
      [
        'response',
        { ...base, attempt: 2, status: 200, durationMs: 0, requestId: 'r-1', rateLimit: { remaining: 7 } },
      ],
    ]);
    expect(time.now()).toBe(250);
  });

  test('are called for a response with any status', async () => {
    const statuses: number[] = [];
    const { get } = setUp([notFound], { onResponse: ({ status }) => void statuses.push(status) });
    await expect(get()).rejects.toMatchObject({ status: 404 });
    expect(statuses).toEqual([404]);
  });

  test('are given the time until the response', async () => {
    const events: EmailPlatform.ResponseEvent[] = [];
    let answer!: (response: Response) => void;
    const slow: Turn = () => new Promise((resolve) => (answer = resolve));
    const { client, time, sent } = setUp([slow], { onResponse: (event) => void events.push(event) });
    const promise = client.campaigns.get(1);
    await until(() => sent.length === 1);
    await time.advance(1234);
    answer(Response.json({ data: {} }));
    await promise;
    expect(events[0]?.durationMs).toBe(1234);
  });

  test('are not called for a call that is never sent', async () => {
    const events: EmailPlatform.RequestEvent[] = [];
    const { client } = setUp([found], { onRequest: (event) => void events.push(event) });
    await client.campaigns.get(0).catch(() => undefined);
    await client.campaigns.get(1, { signal: AbortSignal.abort() }).catch(() => undefined);
    expect(events).toEqual([]);
  });

  test('are called when a call is queued', async () => {
    const events: EmailPlatform.ThrottleEvent[] = [];
    const throttle = { limits: { token: { requests: 1, perMs: 10_000 } } };
    const { client, time } = setUp([found], { onThrottle: (event) => void events.push(event) }, { throttle });
    await client.campaigns.get(1);
    const second = client.campaigns.get(1);
    await until(() => events.length === 1);
    expect(events[0]).toMatchObject({ ...base, attempt: 1, pool: 'token', waiting: 1 });
    expect(Object.isFrozen(events[0])).toBe(true);
    await throughItsWaits(time, second);
  });
});

describe('An event', () => {
  test('is frozen, and a new object for each call of a hook', async () => {
    const events: object[] = [];
    const keep = (event: object) => void events.push(event);
    const { get } = setUp([lost, found], { onRequest: keep, onResponse: keep, onRetry: keep });
    await get();
    expect(events).toHaveLength(4);
    expect(events.every((event) => Object.isFrozen(event))).toBe(true);
    expect(new Set(events).size).toBe(4);
  });

  test('contains no token, no header, no query and no body', async () => {
    const events: object[] = [];
    const keep = (event: object) => void events.push(event);
    const { client, time } = setUp(
      [lost, json(200, { data: [], pagination: { next_token: null } })],
      { onRequest: keep, onResponse: keep, onRetry: keep },
      { token: 's3cr3t' },
    );
    const options = { headers: { 'x-mine': 'h3ader' } };
    await throughItsWaits(time, Promise.resolve(client.campaigns.list({ search: 'qu3ry' }, options)));
    expect(events).toHaveLength(4);
    expect(JSON.stringify(events)).not.toMatch(/s3cr3t|h3ader|qu3ry/);
  });
});

describe('A hook', () => {
  const misbehaviour: [string, () => unknown][] = [
    [
      'that throws',
      () => {
        throw new Error('hook');
      },
    ],
    ['that rejects', () => Promise.reject(new Error('hook'))],
    ['that returns a promise that never settles', () => new Promise(() => undefined)],
    [
      'that throws no error',
      () => {
        throw undefined as unknown as Error;
      },
    ],
    ['that returns something', () => false],
  ];

  test.each(misbehaviour)('%s does not affect the call', async (_, misbehave) => {
    const hook: () => void = misbehave;
    const { get } = setUp([lost, found], { onRequest: hook, onResponse: hook, onRetry: hook });
    expect(await get()).toEqual({ id: 1 });
  });

  test('that changes its event does not affect the call', async () => {
    const { get, sent } = setUp([found], {
      onRequest: (event) => {
        Object.assign(event, { path: '/elsewhere', method: 'DELETE' });
      },
    });
    await get();
    expect([sent[0]?.method, sent[0]?.url]).toEqual(['GET', 'https://api.test/api/email_campaigns/1']);
  });

  test('may abort the call before anything is sent', async () => {
    const controller = new AbortController();
    const { client, sent } = setUp([silence], { onRequest: () => controller.abort() });
    await expect(client.campaigns.get(1, { signal: controller.signal })).rejects.toMatchObject({
      effect: 'none',
    });
    expect(sent).toEqual([]);
  });

  test('may call the client', async () => {
    let calls = 0;
    const events: EmailPlatform.RetryEvent[] = [];
    const { client, time } = setUp([lost, found], {
      onRetry: (event) => {
        events.push(event);
        void client.campaigns.get(2).then(() => (calls += 1));
      },
    });
    await throughItsWaits(time, client.campaigns.get(1));
    await until(() => calls === 1);
    expect(events).toHaveLength(1);
  });
});

describe('The id of a call', () => {
  const FOUR = [lost, json(429, { error: 'Throttled' }, { 'retry-after': '1' }), json(200, {})] as const;

  test('is the same in all of its events, and another for the next call', async () => {
    const ids: string[] = [];
    const note = ({ callId }: { readonly callId: string }) => void ids.push(callId);
    const hooks = { onRequest: note, onResponse: note, onRetry: note, onEnd: note };
    const { fetch } = scriptedFetch(...FOUR, found);
    let number = 0;
    const { client, time } = virtualClient({ fetch, hooks }, () => (number += 0.001));
    await throughItsWaits(time, client.templates.get(1)).catch(() => undefined);
    const [first = ''] = ids;
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids)).toEqual(new Set([first]));
    await throughItsWaits(time, client.campaigns.get(1));
    expect(ids.at(-1)).toMatch(/^[0-9a-z.]{4,}$/);
    expect(ids.at(-1)).not.toBe(first);
  });
});

describe('onEnd', () => {
  function ended(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
    const events: EmailPlatform.EndEvent[] = [];
    const set = setUp(turns, { onEnd: (event) => void events.push(event) }, options);
    return { ...set, events };
  }

  test('is called once for a call that succeeds, with its duration and attempts', async () => {
    const { get, events } = ended([lost, found]);
    await get();
    expect(events).toEqual([
      { ...base, outcome: 'succeeded', durationMs: 250, attempts: 2, error: undefined },
    ]);
    expect(Object.isFrozen(events[0])).toBe(true);
  });

  test('is called once for a call that fails, with the error that it throws', async () => {
    const { get, events } = ended([lost], { retry: { maxRetries: 1 } });
    const error = await rejection(get(), ConnectionError);
    expect(events).toEqual([{ ...base, outcome: 'failed', durationMs: 250, attempts: 2, error }]);
    expect(events[0]?.error).toBe(error);
  });

  test('is called for a call that is refused before anything is sent', async () => {
    const { client, events, sent } = ended([found]);
    const error = await rejection(client.campaigns.get(0), InvalidRequestError);
    expect(events).toEqual([
      { ...base, path: '/api/email_campaigns/{id}', outcome: 'failed', durationMs: 0, attempts: 0, error },
    ]);
    expect(sent).toEqual([]);
  });

  test('is called for a call that is aborted while it waits', async () => {
    const { client, events } = ended([silence]);
    const controller = new AbortController();
    const call = rejection(client.campaigns.get(1, { signal: controller.signal }), AbortedError);
    controller.abort();
    const error = await call;
    expect(events.map(({ outcome, error: thrown }) => [outcome, thrown])).toEqual([['failed', error]]);
  });

  test('is called when a stream has ended, not when it begins', async () => {
    const { client, events } = ended([text(200, 'a message')]);
    const body = await client.emailLogs.downloadRaw('https://files.test/1', { as: 'stream' });
    expect(events).toEqual([]);
    for await (const chunk of body) expect(chunk).toBeDefined();
    await until(() => events.length > 0);
    expect(events.map(({ outcome, operation }) => [outcome, operation])).toEqual([
      ['succeeded', 'emailLogs.downloadRaw'],
    ]);
  });

  test('is called once when a stream breaks off', async () => {
    const broken = () => {
      let pieces = 0;
      const pull = (controller: ReadableStreamDefaultController) => {
        pieces += 1;
        if (pieces === 1) controller.enqueue(new Uint8Array(1));
        else controller.error(new TypeError('terminated'));
      };
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    };
    const { client, events } = ended([broken]);
    const read = (async () => {
      const body = await client.emailLogs.downloadRaw('https://files.test/1', { as: 'stream' });
      for await (const chunk of body) expect(chunk).toBeDefined();
    })();
    await expect(read).rejects.toBeInstanceOf(EmailPlatformError);
    await until(() => events.length > 0);
    expect(events.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  test('that throws, or rejects, does not break the call', async () => {
    const onEnd: () => unknown = () => Promise.reject(new Error('mine'));
    await expect(setUp([found], { onEnd: onEnd }).get()).resolves.toEqual({ id: 1 });
  });
});
