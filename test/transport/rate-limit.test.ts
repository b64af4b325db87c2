import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRateLimitHeaders, statedLimit } from '../../src/transport/rate-limit.ts';

const DATE = 'Fri, 15 May 2026 10:00:00 GMT';
const ANSWERED = Date.UTC(2026, 4, 15, 10, 0, 0);
const RESET = ANSWERED + 7_000;
/** A local clock that is an hour wrong. */
const wrongClock = () => ANSWERED + 3_600_000;

function read(headers: Record<string, string>, wallNow = wrongClock) {
  return readRateLimitHeaders(new Headers(headers), wallNow);
}

describe('the reset', () => {
  test.each([
    ['ISO 8601', '2026-05-15T10:00:07Z'],
    ['ISO 8601 with a fraction', '2026-05-15T10:00:07.000Z'],
    ['ISO 8601 with nanoseconds', '2026-05-15T10:00:07.000999999Z'],
    ['ISO 8601 with an offset', '2026-05-15T12:00:07+02:00'],
    ['ISO 8601 without a zone, which is UTC', '2026-05-15T10:00:07'],
    ['an HTTP date', 'Fri, 15 May 2026 10:00:07 GMT'],
    ['an old HTTP date', 'Fri May 15 10:00:07 2026'],
    ['seconds since 1970', String(RESET / 1000)],
    ['milliseconds since 1970', String(RESET)],
    ['seconds from now', '7'],
    ['seconds from now with a fraction', '7.0'],
  ])('is read as %s', (_, reset) => {
    expect(read({ date: DATE, 'x-ratelimit-reset': reset })).toEqual({
      resetAt: new Date(RESET),
      resetAfterMs: 7_000,
    });
  });

  test('keeps its fraction', () => {
    expect(read({ date: DATE, 'x-ratelimit-reset': '2026-05-15T10:00:07.25Z' }).resetAfterMs).toBe(7_250);
    expect(read({ date: DATE, 'x-ratelimit-reset': '0.5' }).resetAfterMs).toBe(500);
  });

  test('in the past counts as now', () => {
    const past = read({ date: DATE, 'x-ratelimit-reset': '2026-05-15T09:59:00Z' });
    expect(past).toEqual({ resetAt: new Date(ANSWERED - 60_000), resetAfterMs: 0 });
  });

  test('without a Date counts from the local clock', () => {
    const local = () => ANSWERED + 2_000;
    expect(read({ 'x-ratelimit-reset': '2026-05-15T10:00:07Z' }, local).resetAfterMs).toBe(5_000);
    expect(read({ 'x-ratelimit-reset': '7' }, local)).toEqual({
      resetAt: new Date(ANSWERED + 9_000),
      resetAfterMs: 7_000,
    });
  });

  test.each([
    '',
    'soon',
    '-5',
    'foo 1',
    '1e9',
    'NaN',
    '9'.repeat(40),
    '2026-13-45T00:00:00Z',
    'Fri, 99 May 2026 10:00:07 GMT',
  ])('%j is ignored', (reset) => {
    expect(read({ date: DATE, 'x-ratelimit-reset': reset })).toEqual({});
  });

  test('does not depend on the local clock if the response has a Date', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 0, max: 4e12 }),
        (seconds, clock) => {
          const at = ANSWERED + seconds * 1000;
          for (const reset of [
            new Date(at).toISOString(),
            new Date(at).toUTCString(),
            String(at / 1000),
            String(at),
            String(seconds),
          ]) {
            const { resetAfterMs } = read({ date: DATE, 'x-ratelimit-reset': reset }, () => clock);
            expect(resetAfterMs).toBe(seconds * 1000);
          }
        },
      ),
    );
  });
});

describe('Retry-After', () => {
  test.each([
    ['seconds', '30', 30_000],
    ['a fraction of seconds', '1.5', 1_500],
    ['an HTTP date', 'Fri, 15 May 2026 10:00:30 GMT', 30_000],
    ['a date in the past', 'Fri, 15 May 2026 09:00:00 GMT', -3_600_000],
  ])('is read as %s', (_, value, retryAfterMs) => {
    expect(read({ date: DATE, 'retry-after': value })).toEqual({ retryAfterMs });
  });

  test('in any other form is ignored', () => {
    expect(read({ date: DATE, 'retry-after': 'later' })).toEqual({});
  });
});

describe('the counts', () => {
  test('are read', () => {
    expect(read({ 'x-ratelimit-limit': '150', 'x-ratelimit-remaining': '0' })).toEqual({
      limit: 150,
      remaining: 0,
    });
  });

  test('may have parameters, or be a list', () => {
    const read2 = read({ 'x-ratelimit-limit': '150, 150;w=10', 'x-ratelimit-remaining': '149;x=1' });
    expect(read2).toEqual({ limit: 150, remaining: 149 });
  });

  test.each(['', '-1', '1.5', 'many', '15O'])('%j is ignored', (value) => {
    expect(read({ 'x-ratelimit-limit': value, 'x-ratelimit-remaining': value })).toEqual({});
  });
});

test('a response without rate limit headers yields no values', () => {
  expect(read({})).toEqual({});
});

describe('a 429', () => {
  test.each<[string, Record<string, string>, number | undefined]>([
    ['the reset', { 'x-ratelimit-reset': '7', 'retry-after': '3' }, 7_000],
    ['Retry-After without a reset', { 'retry-after': '3' }, 3_000],
    [
      'Retry-After if the reset is more than an hour away',
      { 'x-ratelimit-reset': '3601', 'retry-after': '3' },
      3_000,
    ],
    ['no time', {}, undefined],
  ])('states: %s', (_, headers, retryAfterMs) => {
    const stated = statedLimit(new Headers({ date: DATE, ...headers }), '', undefined, wrongClock);
    expect(stated.retryAfterMs).toBe(retryAfterMs);
  });

  test.each<[string, string, string]>([
    ['0', '', 'token'],
    ['5', '{"errors":"Throttled"}', 'token'],
    ['5', '{"errors":"Too many"}', 'stats'],
  ])('with %s requests left and the text %j is of the pool %s', (remaining, text, pool) => {
    const headers = new Headers({ 'x-ratelimit-remaining': remaining });
    expect(statedLimit(headers, text, 'stats', wrongClock).pool).toBe(pool);
  });
});
