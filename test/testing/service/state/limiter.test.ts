import { describe, expect, test } from 'vitest';
import { Limiter, type EmulatorPool } from '../../../../src/testing/service/state/account/limiter.ts';
import { State } from '../../../../src/testing/service/state/base/state.ts';

/** How many of many requests at the same time a pool accepts. */
function room(limiter: Limiter, pool: EmulatorPool, now: number): number {
  let taken = 0;
  while (taken < 5000 && limiter.take([{ pool, key: '1' }], now) === undefined) taken += 1;
  return taken;
}

describe('Limits: every published pool', () => {
  test.each([
    ['token', 150, 10_000],
    ['contacts', 200, 60_000],
    ['stats', 10, 60_000],
    ['suppressions', 10, 60_000],
    ['emailLogsList', 60, 60_000],
    ['emailLogsGet', 1000, 60_000],
    ['templatesList', 150, 60_000],
    ['templatesCreate', 150, 60_000],
    ['subAccountsDelete', 10, 60_000],
  ] as const)('%s: %i in %i ms', (pool, requests, perMs) => {
    const limiter = new Limiter({}, 'aligned', new State());
    expect(room(limiter, pool, 0)).toBe(requests);
    expect(room(limiter, pool, perMs - 1)).toBe(0);
    expect(room(limiter, pool, perMs)).toBe(requests);
  });

  test('a request that exceeds one of its pools is counted in none', () => {
    const limiter = new Limiter({ stats: { requests: 1, perMs: 60_000 } }, 'fixed', new State());
    const uses = [
      { pool: 'token', key: 'a' },
      { pool: 'stats', key: '1' },
    ] as const;
    expect(limiter.take(uses, 0)).toBeUndefined();
    expect(limiter.take(uses, 5)).toEqual({ pool: 'stats', resetAt: 60_000 });
    expect(limiter.state(uses[0], 5)).toEqual({ limit: 150, remaining: 149 });
  });

  test.each(['aligned', 'fixed', 'sliding'] as const)(
    '%s: what was counted later than now, before the clock was set back, does not count',
    (window) => {
      const limiter = new Limiter({ token: { requests: 3, perMs: 1000 } }, window, new State());
      expect(room(limiter, 'token', 60_000)).toBe(3);
      expect(room(limiter, 'token', 10_000)).toBe(3);
      expect(room(limiter, 'token', 10_500)).toBe(0);
    },
  );

  test('accounts do not share a pool', () => {
    const limiter = new Limiter({}, 'aligned', new State());
    room(limiter, 'stats', 0);
    expect(limiter.take([{ pool: 'stats', key: '2' }], 0)).toBeUndefined();
  });
});
