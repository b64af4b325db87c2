import { AbortedError, RateLimitError, ServerError, TimeoutError } from 'email-platform';
import type { EmailPlatform, EmailPlatformOptions, RequestOptions } from 'email-platform';
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
import { virtualClient, WALL_START } from '../support/virtual-client.ts';

const WINDOW_MS = 10_000;
const done = empty(204);
const unavailable = json(503, { errors: 'Unexpected error' });
const throttled = (waitMs: number): Turn =>
  json(
    429,
    { error: 'Throttled' },
    {
      date: new Date(WALL_START).toUTCString(),
      'x-ratelimit-reset': new Date(WALL_START + waitMs).toISOString(),
    },
  );

/** Room for every call of a test. */
const WIDE: EmailPlatformOptions = { throttle: {} };

/** A client whose limit is one request per window, and the times at which it sent something. */
async function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
  const script = scriptedFetch(...turns);
  const sentAt: number[] = [];
  const { client, time } = virtualClient({
    throttle: { limits: { token: { requests: 1, perMs: WINDOW_MS } } },
    ...options,
    fetch: (input, init) => {
      sentAt.push(time.now());
      return script.fetch(input, init);
    },
  });
  // The first call loads ky, which takes real time and no virtual time: do that now.
  await import('../../src/transport/runtimes/load-ky.ts');
  /** Moves the clock, and then lets everything finish that takes real time. */
  const to = async (at: number) => {
    await time.advance(at - time.now());
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { client, time, sentAt, to };
}

/** A call, and when it ended. */
function call(
  { client, time }: { client: EmailPlatform; time: { now(): number } },
  options?: RequestOptions,
): { readonly promise: Promise<unknown>; endedAt: number | undefined } {
  const promise = Promise.resolve(client.campaigns.delete(1, options));
  const watched: { promise: Promise<unknown>; endedAt: number | undefined } = { promise, endedAt: undefined };
  const end = () => {
    watched.endedAt = time.now();
  };
  promise.then(end, end);
  return watched;
}

describe('In the queue', () => {
  test('a call is sent when a permit is returned, and not a millisecond earlier', async () => {
    const world = await setUp([done]);
    call(world);
    call(world);
    await world.to(WINDOW_MS - 1);
    expect(world.sentAt).toEqual([0]);
    await world.to(WINDOW_MS);
    expect(world.sentAt).toEqual([0, WINDOW_MS]);
    expect(world.time.pending).toBe(0);
  });

  test('a deadline ends a call when it passes, and not a millisecond earlier', async () => {
    const world = await setUp([done]);
    call(world);
    const waiting = call(world, { deadlineMs: 5000 });
    await world.to(4999);
    expect(waiting.endedAt).toBeUndefined();
    await world.to(5000);
    expect(waiting.endedAt).toBe(5000);
    expect(await rejection(waiting.promise, TimeoutError)).toMatchObject({
      kind: 'deadline',
      effect: 'none',
      request: { attempts: 0, elapsedMs: 5000 },
    });
    expect(world.client.limits.snapshot().token?.waiting).toBe(0);
    expect(world.time.pending).toBe(0);
  });

  test('a deadline a millisecond after the permit is returned is met', async () => {
    const world = await setUp([done]);
    call(world);
    const waiting = call(world, { deadlineMs: WINDOW_MS + 1 });
    await world.to(WINDOW_MS);
    expect(waiting.endedAt).toBe(WINDOW_MS);
    await waiting.promise;
    expect(world.time.pending).toBe(0);
  });

  test('an abort ends a call at once, and the next one takes its place', async () => {
    const world = await setUp([done]);
    const controller = new AbortController();
    call(world);
    const aborted = call(world, { signal: controller.signal });
    const next = call(world);
    await world.to(3456);
    controller.abort();
    await world.to(3456);
    expect(aborted.endedAt).toBe(3456);
    expect(await rejection(aborted.promise, AbortedError)).toMatchObject({ effect: 'none' });
    await world.to(WINDOW_MS);
    expect(next.endedAt).toBe(WINDOW_MS);
    expect(world.time.pending).toBe(0);
  });

  test('time is not limited by `maxWaitMs`', async () => {
    const world = await setUp([done], { retry: { maxWaitMs: 0 } });
    call(world);
    const waiting = call(world);
    await world.to(WINDOW_MS);
    await waiting.promise;
    expect(waiting.endedAt).toBe(WINDOW_MS);
  });
});

describe('After a refusal', () => {
  test.each([
    ['the limit known', undefined],
    ['the throttle off', false as const],
  ])('a call is retried at the reset, and not a millisecond earlier: %s', async (_, throttle) => {
    const world = await setUp([throttled(3000), done], throttle === false ? { throttle } : WIDE);
    const refused = call(world);
    await world.to(2999);
    expect(world.sentAt).toEqual([0]);
    await world.to(3000);
    expect(world.sentAt).toEqual([0, 3000]);
    expect(refused.endedAt).toBe(3000);
    expect(world.time.pending).toBe(0);
  });

  test('a call waits in the queue of the closed pool, before all others', async () => {
    const world = await setUp([throttled(3000), done], WIDE);
    const refused = call(world);
    await world.to(10);
    const next = call(world);
    expect(world.client.limits.snapshot().token?.waiting).toBe(2);
    await world.to(3000);
    // After a refusal one request goes first; the next follows its response.
    expect([refused.endedAt, next.endedAt]).toEqual([3000, 3000]);
    expect(world.sentAt).toEqual([0, 3000, 3000]);
  });

  test('further calls are queued until the reset, even if the refusal was thrown', async () => {
    const world = await setUp([throttled(3000), done], { ...WIDE, retry: false });
    const refused = call(world);
    await world.to(0);
    expect(await rejection(refused.promise, RateLimitError)).toMatchObject({ retryAfterMs: 3000 });
    expect(refused.endedAt).toBe(0);
    const next = call(world);
    await world.to(2999);
    expect(world.sentAt).toEqual([0]);
    expect(world.client.limits.snapshot().token?.waiting).toBe(1);
    await world.to(3000);
    await next.promise;
    expect(world.sentAt).toEqual([0, 3000]);
  });

  test('an abort ends the wait of its own call at once, and of no other', async () => {
    const world = await setUp([throttled(3000), done], WIDE);
    const controller = new AbortController();
    const refused = call(world, { signal: controller.signal });
    await world.to(1234);
    controller.abort();
    const next = call(world);
    await world.to(1234);
    expect(refused.endedAt).toBe(1234);
    await rejection(refused.promise, AbortedError);
    await world.to(3000);
    expect(next.endedAt).toBe(3000);
    expect(world.sentAt).toEqual([0, 3000]);
    expect(world.time.pending).toBe(0);
  });
});

describe('A deadline', () => {
  test('counts the time in the queue: a retry that no longer fits fails at once', async () => {
    // The random number is one half here, so the first wait is 250 ms.
    const world = await setUp([done, unavailable, done], { deadlineMs: WINDOW_MS + 250 });
    call(world);
    const waiting = call(world);
    await world.to(WINDOW_MS);
    expect(waiting.endedAt).toBe(WINDOW_MS);
    await rejection(waiting.promise, ServerError);
    expect(world.sentAt).toEqual([0, WINDOW_MS]);
    expect(world.time.pending).toBe(0);
  });

  test.each([
    ['queued', [done, done] as [Turn, ...Turn[]], WINDOW_MS + 1],
    ['waiting to be retried', [unavailable, done] as [Turn, ...Turn[]], 240 + WINDOW_MS],
  ])(
    'that passes while the process sleeps ends a call that was %s: nothing is sent',
    async (_, turns, deadlineMs) => {
      const world = await setUp(turns, turns[0] === unavailable ? WIDE : {});
      if (turns[0] === done) call(world);
      const late = call(world, { deadlineMs });
      await world.to(0);
      const sentBefore = world.sentAt.length;
      // All timers are late. The one of the permit or of the retry fires first, because it was due first.
      world.time.stall(deadlineMs);
      await world.to(world.time.now());
      expect(await rejection(late.promise, TimeoutError)).toMatchObject({ kind: 'deadline' });
      expect(world.sentAt).toHaveLength(sentBefore);
      expect(world.time.pending).toBe(0);
    },
  );

  test('ends a retry that is queued', async () => {
    const world = await setUp([unavailable, done], { deadlineMs: 7000 });
    const failing = call(world);
    await world.to(6999);
    expect([failing.endedAt, world.client.limits.snapshot().token?.waiting]).toEqual([undefined, 1]);
    await world.to(7000);
    expect(failing.endedAt).toBe(7000);
    expect(await rejection(failing.promise, TimeoutError)).toMatchObject({
      kind: 'deadline',
      effect: 'unknown',
      request: { attempts: 1, elapsedMs: 7000 },
    });
    expect(world.sentAt).toEqual([0]);
    expect(world.time.pending).toBe(0);
  });
});

describe('A permit is returned', () => {
  const TIMEOUT_MS = 2000;

  test.each<[string, Turn, number | undefined, number]>([
    ['one window after the response', done, undefined, WINDOW_MS],
    ['at once if the request never left', refusedConnection, undefined, 0],
    ['one window after the timeout, if the connection broke', lost, undefined, TIMEOUT_MS + WINDOW_MS],
    ['one window after the timeout, if it was aborted', silence, 500, TIMEOUT_MS + WINDOW_MS],
    ['the timeout and one window after it timed out', silence, undefined, 2 * TIMEOUT_MS + WINDOW_MS],
  ])('%s', async (_, turn, abortAt, backAt) => {
    const world = await setUp([turn, done], { retry: false, timeoutMs: TIMEOUT_MS });
    const controller = new AbortController();
    call(world, { signal: controller.signal });
    await world.to(0);
    const next = call(world);
    if (abortAt !== undefined) {
      await world.to(abortAt);
      controller.abort();
    }
    if (backAt > 0) {
      await world.to(backAt - 1);
      expect(world.sentAt).toEqual([0]);
    }
    await world.to(backAt);
    expect(world.sentAt).toEqual([0, backAt]);
    await next.promise;
    expect(world.time.pending).toBe(0);
  });
});
