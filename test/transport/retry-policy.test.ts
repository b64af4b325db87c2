import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from 'email-platform';
import { describe, expect, test } from 'vitest';
import { refusalWait } from '../../src/transport/rate-limit.ts';
import { decideRetry, retryReason } from '../../src/transport/retry-policy.ts';

const answer = (status: number) => ({ status, headers: new Headers(), body: '', messages: [] });
const connection = (phase: ConnectionError['phase'], effect: 'none' | 'unknown') =>
  new ConnectionError('m', { phase, effect });

// What a call fails with after its request was sent is in retry-table.test.ts.
test.each([
  // Of a call whose time is up, the wait for a retry would be too long as well: that alone is not shown by calls.
  ['its deadline has passed', new TimeoutError('m', { kind: 'deadline', effect: 'unknown' })],
  ['a refusal with ids', new ApiError('m', { ...answer(200), effect: 'unknown' })],
  ['invalid arguments', new InvalidRequestError([])],
  ['wrong options', new ConfigurationError('m', { option: 'token' })],
  ['an error that is not ours', new TypeError('fetch failed')],
  ['something that is not an error', 'oops'],
])('No request is retried after %s', (_, error) => {
  expect([retryReason(error, true), retryReason(error, false)]).toEqual([undefined, undefined]);
});

test('a timeout before any byte has left is retried, also of a send', () => {
  const timeout = new TimeoutError('m', { kind: 'attempt', effect: 'none' });
  expect(retryReason(timeout, false, true)).toBe('never_sent');
  expect(retryReason(timeout, false)).toBe(undefined);
});

const WINDOW_MS = 10_000;

/** How an attempt has failed. */
interface Failed {
  readonly isRepeatable?: boolean;
  /** Retries so far, not counting those after a 429. */
  readonly retries?: number;
  readonly refusals?: number;
  readonly maxRetries?: number;
  readonly maxWaitMs?: number;
  readonly remainingMs?: number;
  /** The wait that the response states. */
  readonly retryAfterMs?: number | undefined;
  readonly random?: () => number;
}

const failedAttempt = (failed: Failed) => {
  const { isRepeatable = true, retries = 0, refusals = 0, remainingMs = Infinity, random = () => 1 } = failed;
  const { maxRetries = 3, maxWaitMs = Infinity } = failed;
  return {
    number: 1 + retries + refusals,
    request: { isRepeatable, retry: { maxRetries, maxWaitMs } },
    call: { refusals, remainingMs, config: { runtime: { random } } },
  };
};

const waitAfterRefusal = (statedMs: number | undefined, windowMs: number, failed: Failed) => {
  const { call, request } = failedAttempt(failed);
  return refusalWait(statedMs, windowMs, call, request.retry);
};

/** What is decided after a failure. */
function decide(error: unknown, failed: Failed = {}) {
  const { retryAfterMs } = failed;
  const attempt = failedAttempt(failed);
  if (error instanceof RateLimitError) {
    const waitMs = waitAfterRefusal(retryAfterMs, WINDOW_MS, failed);
    return decideRetry({ ...attempt, refusal: { waitMs } }, error);
  }
  const stated = retryAfterMs === undefined ? error : new ServerError('m', { ...answer(503), retryAfterMs });
  return decideRetry(attempt, stated);
}
/** The wait after a first refusal that names no reset. */
const unnamedWaitMs = (windowMs: number, random: number) =>
  waitAfterRefusal(undefined, windowMs, { random: () => random });
const serverError = new ServerError('m', answer(503));
const refusal = new RateLimitError('m', answer(429));

describe('How often a request is retried', () => {
  test('after failures: as often as maxRetries says', () => {
    const isRepeated = [0, 1, 2, 3, 4].map((retries) => decide(serverError, { retries }) !== undefined);
    expect(isRepeated).toEqual([true, true, true, false, false]);
    expect(decide(serverError, { maxRetries: 0 })).toBeUndefined();
  });

  test('after failures: one in which the request never left counts too', () => {
    expect(decide(connection('connect', 'none'), { retries: 3 })).toBeUndefined();
  });

  test('after refusals: twenty times, whatever maxRetries says, and however many other failures there were', () => {
    expect(decide(refusal, { maxRetries: 0 })).toBeDefined();
    expect(decide(refusal, { retries: 99 })).toBeDefined();
    expect(decide(refusal, { refusals: 19 })).toBeDefined();
    expect(decide(refusal, { refusals: 20 })).toBeUndefined();
  });

  test('after failures: refusals before do not count', () => {
    expect(decide(serverError, { refusals: 20 })).toBeDefined();
  });
});

describe('How long a retry waits', () => {
  test('after a failure: at most half a second, doubling, up to thirty', () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 7, 50].map(
      (retries) => decide(serverError, { retries, maxRetries: 99 })?.delayMs,
    );
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  test('after a failure: with full jitter', () => {
    expect(decide(serverError, { random: () => 0 })?.delayMs).toBe(0);
    expect(decide(serverError, { retries: 2, random: () => 0.25 })?.delayMs).toBe(500);
  });

  test('after a failure with Retry-After: as long as it says, but at least a quarter of a second', () => {
    expect(decide(serverError, { retryAfterMs: 7000 })).toEqual({ reason: 'server_error', delayMs: 7000 });
    expect(decide(serverError, { retryAfterMs: 0 })?.delayMs).toBe(250);
  });

  test.each([
    ['the time it names', 1500, 1500],
    ['a quarter of a second if that has passed', 0, 250],
    ['a quarter of a second if that has nearly passed', 249, 250],
    ['an hour if it says so', 3_600_000, 3_600_000],
    ['a window and a little if it names more', 3_600_001, 11_000],
    ['a window and a little if it names nothing', undefined, 11_000],
  ])('after a refusal: %s', (_, retryAfterMs, delayMs) => {
    expect(decide(refusal, { retryAfterMs })).toEqual({ reason: 'rate_limited', delayMs });
  });

  test('after further refusals: longer by a growing random time, up to half a minute', () => {
    const waits = [0, 1, 2, 3, 8, 19].map(
      (refusals) => decide(refusal, { refusals, retryAfterMs: 1000 })?.delayMs,
    );
    expect(waits).toEqual([1000, 1500, 2000, 3000, 31_000, 31_000]);
    expect(decide(refusal, { refusals: 3, retryAfterMs: 1000, random: () => 0 })?.delayMs).toBe(1000);
  });

  test('after further refusals: never so much longer that the call fails', () => {
    const again = { refusals: 5, retryAfterMs: 1000 };
    expect(decide(refusal, { ...again, maxWaitMs: 1000 })?.delayMs).toBe(1000);
    expect(decide(refusal, { ...again, maxWaitMs: 1500 })?.delayMs).toBe(1500);
    expect(decide(refusal, { ...again, remainingMs: 1100 })?.delayMs).toBe(1050);
    expect(decide(refusal, { ...again, maxWaitMs: 999 })).toBeUndefined();
    expect(decide(refusal, { ...again, remainingMs: 1000 })).toBeUndefined();
  });

  test('after a failure: no longer than allowed; if Retry-After is longer than that, there is no retry', () => {
    expect(decide(serverError, { retries: 2, maxWaitMs: 100 })?.delayMs).toBe(100);
    expect(decide(serverError, { retryAfterMs: 101, maxWaitMs: 100 })).toBeUndefined();
    expect(decide(serverError, { retries: 2, remainingMs: 2000 })).toBeUndefined();
    // More than an hour is no time that a service means: the backoff decides.
    expect(decide(serverError, { retryAfterMs: 2 ** 31 })?.delayMs).toBe(500);
  });

  test('after a refusal without a time: at least one window of the refused pool', () => {
    expect(unnamedWaitMs(60_000, 0)).toBe(60_000);
    expect(unnamedWaitMs(60_000, 0.5)).toBe(63_000);
  });
});

test('after a 429 without a time, one window of the pool is waited for, but an hour at most', () => {
  expect(unnamedWaitMs(10_000, 0.5)).toBe(10_500);
  expect(unnamedWaitMs(86_400_000, 0.5)).toBe(3_600_000);
});
