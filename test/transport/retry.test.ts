import {
  AbortedError,
  ConnectionError,
  EmailPlatform,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from 'email-platform';
import type { EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import {
  empty,
  json,
  lost,
  refusedConnection,
  scriptedFetch,
  silence,
  type Turn,
} from '../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient, WALL_START } from '../support/virtual-client.ts';

const found = json(200, { data: { id: 1 } });
const unavailable = json(503, { errors: 'Unexpected error' });
const draft = { name: 'n', domain_id: 1, from_local_part: 'f', template_attributes: { subject: 's' } };

/** A 429 from a service whose clock is an hour ahead of ours. */
function throttled(waitMs?: number): Turn {
  const now = WALL_START + 3_600_000;
  const reset = waitMs === undefined ? {} : { 'x-ratelimit-reset': new Date(now + waitMs).toISOString() };
  return json(429, { error: 'Throttled' }, { date: new Date(now).toUTCString(), ...reset });
}

function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  const retries: EmailPlatform.RetryEvent[] = [];
  const hooks = { onRetry: (event: EmailPlatform.RetryEvent) => void retries.push(event) };
  const { client, time } = virtualClient({ fetch, hooks, ...options });
  return {
    client,
    time,
    sent,
    retries,
    waits: () => retries.map(({ reason, delayMs }) => [reason, delayMs]),
    run: <T>(promise: PromiseLike<T>) => throughItsWaits(time, Promise.resolve(promise)),
  };
}

test('with room, `fetch` is called in the same turn of the event loop as the method', async () => {
  const { fetch } = scriptedFetch(found);
  let calls = 0;
  const client = new EmailPlatform({
    token: 'token',
    hosts: { api: 'https://api.test' },
    fetch: (...args) => {
      calls += 1;
      return fetch(...args);
    },
  });
  // ky is loaded at the first call.
  await client.campaigns.get(1);
  const call = client.campaigns.get(1);
  // After all microtasks, and before any timer.
  await new Promise((resolve) => {
    process.nextTick(resolve);
  });
  expect(calls).toBe(2);
  await call;
});

describe('A read', () => {
  test('is retried after failures, with growing waits', async () => {
    const { client, run, waits, sent, time } = setUp([unavailable, lost, refusedConnection, found]);
    expect(await run(client.campaigns.get(1))).toEqual({ id: 1 });
    // Half of at most 500, 1000 and 2000 ms.
    expect(waits()).toEqual([
      ['server_error', 250],
      ['connection_lost', 500],
      ['never_sent', 1000],
    ]);
    expect(sent).toHaveLength(4);
    expect(time.now()).toBe(1750);
  });

  test('fails with the last failure once the retries are used up', async () => {
    const { client, run, sent, time } = setUp([lost, lost, lost, unavailable, found]);
    const error = await rejection(run(client.campaigns.get(1)), ServerError);
    expect(error.request).toMatchObject({ operation: 'campaigns.get', attempts: 4, elapsedMs: 1750 });
    expect(sent).toHaveLength(4);
    expect(time.pending).toBe(0);
  });

  test('waits as long as the Retry-After of a failed response says', async () => {
    const busy = json(503, {}, { 'retry-after': '12' });
    const { client, run, waits } = setUp([busy, found]);
    await run(client.campaigns.get(1));
    expect(waits()).toEqual([['server_error', 12_000]]);
  });

  test.each([
    ['0', 250],
    ['0.1', 250],
    ['0.3', 300],
    ['3600', 3_600_000],
    ['3601', 250],
    ['999999999', 250],
    ['1000000000', 250],
    ['99999999999999', 250],
    ['9'.repeat(30), 250],
    ['-5', 250],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 250],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 250],
  ])('waits after a Retry-After of %s as long as it says, or else for a backoff', async (stated, firstMs) => {
    const busy = json(503, {}, { 'retry-after': stated });
    const { client, run, waits } = setUp([busy, busy, found], { retry: { maxWaitMs: 3_600_000 } });
    await run(client.campaigns.get(1));
    const isStated = firstMs === 3_600_000 || Number(stated) < 1;
    expect(waits()).toEqual([
      ['server_error', firstMs],
      ['server_error', isStated && Number(stated) >= 0 ? firstMs : 500],
    ]);
  });

  test('waits for a backoff if the Retry-After was over when the response came', async () => {
    const date = 'Fri, 15 May 2026 10:00:00 GMT';
    const busy = json(503, {}, { date, 'retry-after': 'Fri, 15 May 2026 09:59:59 GMT' });
    const { client, run, waits } = setUp([busy, busy, found]);
    await run(client.campaigns.get(1));
    expect(waits().map(([, ms]) => ms)).toEqual([250, 500]);
  });

  test('is retried when an attempt timed out', async () => {
    const { client, time, waits, sent, run } = setUp([silence, found], { timeoutMs: 1000 });
    const promise = client.campaigns.get(1);
    await until(() => sent.length === 1);
    await time.advance(1000);
    expect(waits()).toEqual([['timed_out', 250]]);
    expect(await run(promise)).toEqual({ id: 1 });
  });
});

describe('A create', () => {
  test.each<[string, Turn, unknown]>([
    ['the connection broke', lost, ConnectionError],
    ['the service failed', unavailable, ServerError],
  ])('is not retried when %s: it may have been carried out', async (_, turn, errorClass) => {
    const { client, run, sent, retries } = setUp([turn, found]);
    const error = await rejection(run(client.campaigns.create(draft)), errorClass as typeof ConnectionError);
    expect(error.effect).toBe('unknown');
    expect([sent.length, retries.length]).toEqual([1, 0]);
  });

  test('is retried when it never left, or was refused with 429, with the same body', async () => {
    const { client, run, sent } = setUp([refusedConnection, throttled(1000), json(201, { data: { id: 1 } })]);
    expect(await run(client.campaigns.create(draft))).toEqual({ id: 1 });
    expect(sent.map(({ body }) => JSON.parse(body) as unknown)).toEqual([draft, draft, draft]);
  });

  test('that is refused has effect none if no attempt can have been carried out', async () => {
    const refused = json(422, { errors: { name: ['is taken'] } });
    const { client, run } = setUp([refusedConnection, throttled(0), refused]);
    const error = await rejection(run(client.campaigns.create(draft)), ValidationError);
    expect(error).toMatchObject({ effect: 'none', request: { attempts: 3 } });
  });
});

describe('An update', () => {
  test('that is refused after an attempt that may have been carried out has an unknown effect', async () => {
    const refused = json(422, { errors: { name: ['is taken'] } });
    const { client, run } = setUp([lost, refused]);
    const error = await rejection(run(client.campaigns.update(1, { name: 'x' })), ValidationError);
    expect(error.effect).toBe('unknown');
  });
});

describe('A rate limit', () => {
  test('is waited out by the service’s clock, not by ours', async () => {
    const { client, run, waits } = setUp([throttled(4000), found]);
    await run(client.campaigns.get(1));
    expect(waits()).toEqual([['rate_limited', 4000]]);
  });

  test('uses up no retries', async () => {
    const six = Array.from({ length: 6 }, () => throttled(1000));
    const { client, run, sent } = setUp([throttled(1000), ...six, unavailable, found], {
      retry: { maxRetries: 1 },
    });
    await run(client.campaigns.get(1));
    expect(sent).toHaveLength(9);
  });

  test('that never ends is thrown after twenty waits', async () => {
    const { client, run, sent } = setUp([throttled(1000)]);
    await rejection(run(client.campaigns.get(1)), RateLimitError);
    expect(sent).toHaveLength(21);
  });

  test('in a pool that the throttle switches off is waited out in full', async () => {
    const { client, run, time } = setUp([throttled(4000), found], { throttle: { limits: { token: false } } });
    await run(client.campaigns.get(1));
    expect(time.now()).toBe(4000);
  });

  test('whose reset is not credible is waited out as Retry-After says', async () => {
    const reset = new Date(WALL_START + 7_200_000).toISOString();
    const headers = { 'x-ratelimit-reset': reset, 'retry-after': '5' };
    const { client, run, waits } = setUp([json(429, { error: 'Throttled' }, headers), found]);
    await run(client.campaigns.get(1));
    expect(waits()).toEqual([['rate_limited', 5_000]]);
  });

  test('without headers is waited out for one window and a little', async () => {
    const { client, run, waits } = setUp([throttled(), found]);
    await run(client.campaigns.get(1));
    expect(waits()).toEqual([['rate_limited', 10_500]]);
  });

  test('without headers is waited out for the window that the throttle has for the refused pool', async () => {
    const limits = { token: { requests: 5, perMs: 600 } };
    const { client, run, waits } = setUp([throttled(), json(200, { messages: [], total_count: 0 })], {
      throttle: { limits },
    });
    await run(client.emailLogs.list());
    expect(waits()).toEqual([['rate_limited', 630]]);
  });

  test('is thrown at once where retries are off', async () => {
    const { client, run, sent } = setUp([throttled(4000), found], { retry: false });
    const error = await rejection(run(client.campaigns.get(1)), RateLimitError);
    expect(error).toMatchObject({ retryAfterMs: 4000, effect: 'none', pool: 'token' });
    expect(error.resetAt).toEqual(new Date(WALL_START + 3_604_000));
    expect(sent).toHaveLength(1);
  });
});

describe('A wait that does not fit', () => {
  test.each([
    ['maxWaitMs: exactly that long is fine', 5000, undefined, true],
    ['maxWaitMs', 4999, undefined, false],
    ['the deadline', 90_000, 5000, false],
    ['the deadline: a little more is fine', 90_000, 5001, true],
  ])('%s', async (_, maxWaitMs, deadlineMs, fits) => {
    const { client, run, time } = setUp([throttled(5000), found], { retry: { maxWaitMs }, deadlineMs });
    const promise = run(client.campaigns.get(1));
    if (fits) expect(await promise).toEqual({ id: 1 });
    else {
      await rejection(promise, RateLimitError);
      expect(time.now()).toBe(0);
    }
    expect(time.pending).toBe(0);
  });

  test('after any other failed response makes the call fail at once, too', async () => {
    const { client, run } = setUp([json(503, {}, { 'retry-after': '3600' }), found]);
    await rejection(run(client.campaigns.get(1)), ServerError);
  });
});

describe('Settings for one call', () => {
  test('replace the client’s', async () => {
    const { client, run, sent } = setUp([unavailable]);
    await rejection(run(client.campaigns.get(1, { retry: { maxRetries: 1 } })), ServerError);
    expect(sent).toHaveLength(2);
    await rejection(run(client.campaigns.get(1, { retry: false })), ServerError);
    expect(sent).toHaveLength(3);
  });

  test('switch retries on where the client has none', async () => {
    const { client, run, sent } = setUp([unavailable], { retry: false });
    await rejection(run(client.campaigns.get(1, { retry: {} })), ServerError);
    expect(sent).toHaveLength(4);
  });

  test('that are left out keep the client’s values', async () => {
    const { client, run, sent } = setUp([unavailable], { retry: { maxRetries: 5 } });
    await rejection(run(client.campaigns.get(1, { retry: { maxWaitMs: 60_000 } })), ServerError);
    expect(sent).toHaveLength(6);
  });
});

describe('A call that is settled by a read', () => {
  test('ends at its own deadline, during the read', async () => {
    const { client, run, time, sent } = setUp([lost, json(422, { errors: 'no' }), silence], {
      deadlineMs: 5_000,
    });
    const error = await rejection(run(client.campaigns.start(7)), TimeoutError);
    expect([error.message.includes('5000 ms'), error.effect]).toEqual([true, 'unknown']);
    expect([time.now(), sent.length]).toEqual([5_000, 3]);
  });

  test('throws the lost attempt if the read says nothing, however much time is left', async () => {
    const { client, run } = setUp([lost, json(422, { errors: 'no' }), json(404, { error: 'Not Found' })]);
    await rejection(run(client.campaigns.start(7)), ConnectionError);
  });
});

describe('A call that ends while it waits to be retried', () => {
  test('by its signal: at once, with the signal’s reason', async () => {
    const { client, time, retries, sent } = setUp([throttled(5000), found]);
    const controller = new AbortController();
    const promise = client.campaigns.get(1, { signal: controller.signal });
    await until(() => retries.length === 1);
    const reason = new Error('changed my mind');
    controller.abort(reason);
    const error = await rejection(promise, AbortedError);
    expect(error).toMatchObject({ cause: reason, effect: 'none', request: { attempts: 1 } });
    expect([sent.length, time.pending]).toEqual([1, 0]);
  });

  test('by its signal after an attempt that may have been carried out: effect unknown', async () => {
    const { client, retries } = setUp([lost, found]);
    const controller = new AbortController();
    const promise = client.campaigns.get(1, { signal: controller.signal });
    await until(() => retries.length === 1);
    controller.abort();
    expect((await rejection(promise, AbortedError)).effect).toBe('unknown');
  });

  test('by its deadline, during the retry', async () => {
    const { client, time, sent, retries } = setUp([throttled(4000), silence], { deadlineMs: 5000 });
    const failed = rejection(client.campaigns.get(1), TimeoutError);
    await until(() => retries.length === 1);
    await time.advance(4000);
    await until(() => sent.length === 2);
    await time.advance(1000);
    const error = await failed;
    expect(error).toMatchObject({ kind: 'deadline', effect: 'unknown', request: { elapsedMs: 5000 } });
    expect(time.pending).toBe(0);
  });
});

describe('A delete', () => {
  test('whose retry returns 404 succeeds', async () => {
    const { client, run, sent } = setUp([lost, json(404, { error: 'Not Found' })]);
    await expect(run(client.campaigns.delete(1))).resolves.toBeUndefined();
    expect(sent).toHaveLength(2);
  });

  test.each<[string, Turn]>([
    ['was refused', throttled(0)],
    ['never left', refusedConnection],
  ])('that returns 404 fails if the attempt before %s', async (_, before) => {
    const { client, run } = setUp([before, json(404, { error: 'Not Found' })]);
    await expect(run(client.campaigns.delete(1))).rejects.toMatchObject({ status: 404, effect: 'none' });
  });

  test('succeeds if its retry does', async () => {
    const { client, run } = setUp([unavailable, empty(204)]);
    await expect(run(client.campaigns.delete(1))).resolves.toBeUndefined();
  });
});

test('While the body of a second 429 is read, no queued call is sent', async () => {
  const { client, time, sent, retries, run } = setUp([throttled(10_000), throttled(10_000), found], {
    throttle: {},
  });
  const first = client.campaigns.get(1);
  await until(() => retries.length === 1);
  const others = [2, 3].map((id) => client.campaigns.get(id));
  while (sent.length === 1) await time.advance(100);
  await until(() => retries.length === 2);
  expect(sent).toHaveLength(2);
  await run(Promise.all([first, ...others]));
});
