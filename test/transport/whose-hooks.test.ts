import {
  type EmailPlatform,
  ApiError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  LifecycleError,
  NotFoundError,
  ServerError,
} from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { describe, expect, test } from 'vitest';
import { rejection, thrown } from '../support/expect-error.ts';
import { json, lost, scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

const found = json(200, { data: { id: 1, current_state: 'draft' } });

/** Hooks that note who was called. */
const noting = (log: string[], who: string): EmailPlatform.Hooks => ({
  onStart: () => void log.push(`${who} start`),
  onRequest: () => void log.push(`${who} request`),
  onEnd: () => void log.push(`${who} end`),
});

function setUp(hooks: EmailPlatform.Hooks, ...turns: [Turn, ...Turn[]]) {
  const { fetch } = scriptedFetch(...turns);
  return virtualClient({ fetch, hooks });
}

describe("A derived client's hooks", () => {
  test("are added to its parent's, which are called first; the parent keeps its own", async () => {
    const log: string[] = [];
    const { client } = setUp(noting(log, 'parent'), found);
    const child = client.withOptions({ hooks: noting(log, 'child') });
    const grandchild = child.withOptions({ hooks: { onEnd: () => void log.push('grandchild end') } });
    await client.campaigns.get(1);
    expect(log.splice(0)).toEqual(['parent start', 'parent request', 'parent end']);
    await child.campaigns.get(1);
    const ofChild = [
      'parent start',
      'child start',
      'parent request',
      'child request',
      'parent end',
      'child end',
    ];
    expect(log.splice(0)).toEqual(ofChild);
    await grandchild.campaigns.get(1);
    expect(log).toEqual([...ofChild, 'grandchild end']);
  });

  test('stay as they are when other options change, and are removed by false', async () => {
    const log: string[] = [];
    const { client } = setUp(noting(log, 'parent'), found);
    await client.withOptions({ hooks: undefined, timeoutMs: 5 }).campaigns.get(1);
    expect(log.splice(0)).toHaveLength(3);
    const without = client.withOptions({ hooks: false });
    await without.campaigns.get(1);
    expect(log).toEqual([]);
    await without.withOptions({ hooks: noting(log, 'own') }).campaigns.get(1);
    expect(log).toEqual(['own start', 'own request', 'own end']);
  });

  test('are called even if those of the parent throw', async () => {
    const log: string[] = [];
    const failing = () => {
      throw new Error('of a hook');
    };
    const { client } = setUp({ onStart: failing, onEnd: failing }, found);
    await client.withOptions({ hooks: noting(log, 'child') }).campaigns.get(1);
    expect(log).toEqual(['child start', 'child request', 'child end']);
  });

  test('need what they need: onMismatch is refused without schemas', () => {
    const { client } = setUp({}, found);
    const derive = () => client.withOptions({ hooks: { onMismatch: () => undefined } });
    expect(thrown(derive, ConfigurationError).option).toBe('schemas');
  });

  test('are what they were when the client was made', async () => {
    const log: string[] = [];
    const hooks: { onEnd?: () => void } = { onEnd: () => void log.push('end') };
    const { client } = setUp(hooks, found);
    delete hooks.onEnd;
    await client.campaigns.get(1);
    expect(log).toEqual(['end']);
  });
});

describe('onStart', () => {
  test('is called once for every call, before anything else of it, with the callId of its other events', async () => {
    const events: [string, EmailPlatform.CallEvent][] = [];
    const note = (name: string) => (event: EmailPlatform.CallEvent) => void events.push([name, event]);
    const hooks = { onStart: note('start'), onRequest: note('request'), onEnd: note('end') };
    const { client, time } = setUp(hooks, lost, found);
    await throughItsWaits(time, client.campaigns.get(1));
    expect(events.map(([name]) => name)).toEqual(['start', 'request', 'request', 'end']);
    expect(new Set(events.map(([, { callId }]) => callId)).size).toBe(1);
    expect(Object.isFrozen(events[0]?.[1])).toBe(true);
    expect(events[0]?.[1]).toEqual({
      callId: expect.any(String) as unknown,
      operation: 'campaigns.get',
      method: 'GET',
      host: 'api',
      path: '/api/email_campaigns/1',
    });
  });

  test('is called for one that is refused before a request is sent, too', async () => {
    const log: string[] = [];
    const { client } = setUp(noting(log, 'its'), found);
    await rejection(client.campaigns.get(0), InvalidRequestError);
    expect(log).toEqual(['its start', 'its end']);
  });
});

describe("A call's meta", () => {
  test('is in all events of the call, whatever it is', async () => {
    const { fetch } = scriptedFetch(json(503, {}), found);
    const events: Record<string, unknown> = {};
    const note = (name: string) => (event: EmailPlatform.CallEvent) => void (events[name] = event.meta);
    const { client, time } = virtualClient({
      fetch,
      schemas,
      throttle: { limits: { token: { requests: 1, perMs: 1000 } } },
      hooks: {
        onStart: note('onStart'),
        onThrottle: note('onThrottle'),
        onRequest: note('onRequest'),
        onResponse: note('onResponse'),
        onRetry: note('onRetry'),
        onMismatch: note('onMismatch'),
        onEnd: note('onEnd'),
      },
    });
    const meta = { trace: Symbol('a span'), user: 7 };
    await throughItsWaits(time, client.campaigns.get(1, { meta }));
    expect(Object.keys(events)).toHaveLength(7);
    expect(Object.values(events).every((each) => each === meta)).toBe(true);
  });

  test('is in the events of a call that is refused, and in those of every page of a list', async () => {
    const seen: unknown[] = [];
    const page = (token: number, next: number | null) =>
      json(200, { data: [{ id: token }], pagination: { next_token: next } });
    const { client } = setUp({ onEnd: ({ meta }) => void seen.push(meta) }, page(1, 2), page(2, null));
    await client.campaigns.list({}, { meta: 'pages' }).toArray();
    await rejection(client.campaigns.get(0, { meta: 'refused' }), InvalidRequestError);
    await rejection(client.campaigns.get(0), InvalidRequestError);
    expect(seen).toEqual(['pages', 'pages', 'refused', undefined]);
  });
});

describe("onRetry's error", () => {
  test('is complete: its request, whether it is retryable, and the effect of the call so far', async () => {
    const seen: object[] = [];
    const onRetry = ({ error: { request, isRetryable, effect } }: EmailPlatform.RetryEvent) =>
      void seen.push({ ...request, isRetryable, effect });
    const { client, time } = setUp({ onRetry }, lost, json(429, { errors: 'no' }), found);
    await throughItsWaits(time, client.campaigns.get(1));
    const call = { operation: 'campaigns.get', method: 'GET', path: '/api/email_campaigns/1' };
    expect(seen).toEqual([
      { ...call, attempts: 1, elapsedMs: 0, isRetryable: true, effect: 'unknown' },
      { ...call, attempts: 2, elapsedMs: 250, isRetryable: true, effect: 'unknown' },
    ]);
  });

  test('says the final numbers, where it is what the call fails with in the end', async () => {
    const errors: unknown[] = [];
    const refused = json(422, { errors: 'Campaign is not in draft state' });
    const { client, time } = setUp(
      { onRetry: ({ error }) => void errors.push(error) },
      lost,
      refused,
      json(200, { data: { id: 1, current_state: 'draft' } }),
    );
    const error = await rejection(throughItsWaits(time, client.campaigns.start(1)), ConnectionError);
    expect(errors[0]).toBe(error);
    expect(error.request).toMatchObject({ operation: 'campaigns.start', attempts: 2, elapsedMs: 250 });
  });
});

describe('retryAfterMs', () => {
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  test.each([
    [503, ServerError],
    [404, NotFoundError],
    [409, ApiError],
    [422, LifecycleError],
  ] as const)(
    'is on an error of any status whose response said how long to wait: %i',
    async (status, errorClass) => {
      const headers = { date, 'retry-after': '120' };
      const { client } = setUp({}, json(status, { errors: 'Not now' }, headers));
      const error = await rejection(client.campaigns.get(1, { retry: false }), errorClass);
      expect(error.retryAfterMs).toBe(120_000);
      expect(error.toJSON()).toMatchObject({ retryAfterMs: 120_000 });
    },
  );

  test('is absent where it did not', async () => {
    const { client } = setUp({}, json(503, {}, { date }));
    const error = await rejection(client.campaigns.get(1, { retry: false }), ServerError);
    expect('retryAfterMs' in error).toBe(false);
  });
});
