import type {
  EmailPlatformOptions,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  ThrottleEvent,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { json, lost, scriptedFetch, silence, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../support/virtual-client.ts';

const found = json(200, { data: { id: 1 } }, { 'x-request-id': 'r-1', 'x-ratelimit-remaining': '7' });
const notFound = json(404, { error: 'Not Found' });

function setUp(turns: [Turn, ...Turn[]], hooks: Hooks, options: EmailPlatformOptions = {}) {
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
    const events: ResponseEvent[] = [];
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
    const events: RequestEvent[] = [];
    const { client } = setUp([found], { onRequest: (event) => void events.push(event) });
    await client.campaigns.get(0).catch(() => undefined);
    await client.campaigns.get(1, { signal: AbortSignal.abort() }).catch(() => undefined);
    expect(events).toEqual([]);
  });

  test('are called when a call is queued', async () => {
    const events: ThrottleEvent[] = [];
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
    const events: RetryEvent[] = [];
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
