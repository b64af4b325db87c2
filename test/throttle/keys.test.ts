import { expect, test } from 'vitest';
import type { PoolName, RateLimit } from '../../src/core/limits.ts';
import { Pool } from '../../src/throttle/pool.ts';
import { PoolThrottle } from '../../src/throttle/pool-throttle.ts';
import type { ThrottleKey } from '../../src/throttle/permit.ts';
import { permitRequest } from '../support/permit-request.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const limits = {
  token: { requests: 1, perMs: 1_000 },
  stats: { requests: 1, perMs: 1_000 },
};

/** A throttle that is used by many tokens and accounts in turn. */
function setUp() {
  const time = new VirtualTime();
  const runtime = { now: time.now, wallNow: time.now, setTimer: time.setTimer };
  let created = 0;
  class CountingThrottle extends PoolThrottle {
    get size(): number {
      return this.pools.length;
    }
    protected override createPool(name: PoolName, limit: RateLimit): Pool {
      created += 1;
      return new Pool(name, limit);
    }
  }
  const throttle = new CountingThrottle({ limits }, runtime);
  const ask = (key: ThrottleKey, pool?: 'stats') =>
    throttle.acquire(permitRequest({ key, pool, timeoutMs: 1_000 }));
  return { time, throttle, ask, created: () => created };
}

test('the pools of ten thousand tenants one after another are mostly forgotten', () => {
  const { time, throttle, ask } = setUp();
  let most = 0;
  for (let tenant = 0; tenant < 10_000; tenant += 1) {
    time.stall(100);
    ask({ token: `token ${tenant}`, accountId: tenant }, 'stats').end('answered');
    most = Math.max(most, throttle.size);
  }
  expect(most).toBeLessThanOrEqual(64);
});

test('a token is not forgotten while one of its pools is idle and another one closed', () => {
  const { time, throttle, ask } = setUp();
  ask({ token: 'busy' }).end('answered');
  expect(throttle.block({ token: 'busy' }, 'stats', 1e9).isClosed).toBe(true);
  for (let tenant = 0; tenant < 1_000; tenant += 1) {
    time.stall(100);
    throttle.estimate(1, 'token', { token: tenant });
  }
  expect(throttle.snapshot({ token: 'busy' }).stats?.blockedUntil).toBeDefined();
});

test('no pool is closed that is switched off', () => {
  const throttle = new PoolThrottle({ limits: { stats: false } });
  expect(throttle.block({ token: 'a' }, 'stats', 1_000).isClosed).toBe(false);
});

test('a pool in use is never forgotten: permits in use, calls queued, blocked', () => {
  const { time, throttle, ask } = setUp();
  ask({ token: 'flying' });
  ask({ token: 'waiting' });
  ask({ token: 'waiting' });
  throttle.block({ token: 'blocked' }, 'token', 1e9);
  for (let tenant = 0; tenant < 1_000; tenant += 1) {
    time.stall(1);
    throttle.estimate(1, 'token', { token: tenant });
  }
  expect(throttle.size).toBeLessThanOrEqual(64);
  expect(throttle.snapshot({ token: 'flying' }).token?.used).toBe(1);
  expect(throttle.snapshot({ token: 'waiting' }).token).toMatchObject({ used: 1, waiting: 1 });
  expect(throttle.snapshot({ token: 'blocked' }).token?.blockedUntil).toBeDefined();
});

test('the pools of many tenants at once are all kept', () => {
  const { throttle, ask } = setUp();
  for (let tenant = 0; tenant < 1_000; tenant += 1) ask({ token: tenant });
  expect(throttle.size).toBe(1_000);
});

test('both pools of a call are kept while it holds permits in them, however many tenants are added', () => {
  const { time, throttle, ask } = setUp();
  // One more, so that the second pool of a call is the one that exceeds the number.
  ask({ token: 'alone' }).end('neverSent');
  for (let tenant = 0; tenant < 500; tenant += 1) {
    time.stall(1e6);
    const key = { token: tenant, accountId: 1_000 + tenant };
    const permit = ask(key, 'stats');
    expect(throttle.snapshot(key)).toMatchObject({ token: { used: 1 }, stats: { used: 1 } });
    permit.end('neverSent');
  }
});

test('a snapshot creates no pool', () => {
  const { throttle, created } = setUp();
  expect(throttle.snapshot({ token: 'a' })).toMatchObject({ token: { used: 0 }, stats: { used: 0 } });
  expect([throttle.size, created()]).toEqual([0, 0]);
});
