import { expect, test } from 'vitest';
import { Gate } from '../../src/throttle/gate.ts';
import { LimitedPool } from '../../src/throttle/limited-pool.ts';
import { ThrottleKeys, type CreatePool } from '../../src/throttle/throttle-keys.ts';

const limits = {
  token: { requests: 1, perMs: 1_000 },
  stats: { requests: 1, perMs: 1_000 },
};

const createPool: CreatePool = (name, limit) => new LimitedPool(name, limit, new Gate(limit, 'burst'));

test('of ten thousand tenants one after another, few are kept', () => {
  const keys = new ThrottleKeys(limits, createPool);
  let most = 0;
  for (let tenant = 0; tenant < 10_000; tenant += 1) {
    const now = tenant * 100;
    for (const name of ['token', 'stats'] as const) {
      const gate = keys.get(name, { token: `token ${tenant}`, accountId: tenant }, now)?.gate;
      const sent = gate?.take(now, 1_000);
      if (sent !== undefined) gate?.answered(sent, now, {});
    }
    most = Math.max(most, keys.size);
  }
  expect(most).toBeLessThanOrEqual(64);
});

test('a pool in use is never forgotten: permits out, a call waiting, blocked', () => {
  const keys = new ThrottleKeys(limits, createPool);
  const [flying, waiting, blocked] = ['flying', 'waiting', 'blocked'].map((token) =>
    keys.get('token', { token }, 0),
  );
  flying?.gate.take(0, 1_000);
  if (waiting !== undefined) waiting.waiting = 1;
  blocked?.gate.block(1e9);
  for (let tenant = 0; tenant < 1_000; tenant += 1) keys.get('token', { token: tenant }, 1e6 + tenant);
  expect(keys.size).toBeLessThanOrEqual(64);
  expect(keys.find('token', { token: 'flying' })).toBe(flying);
  expect(keys.find('token', { token: 'waiting' })).toBe(waiting);
  expect(keys.find('token', { token: 'blocked' })).toBe(blocked);
});

test('many tenants at once are all kept', () => {
  const keys = new ThrottleKeys(limits, createPool);
  for (let tenant = 0; tenant < 1_000; tenant += 1)
    keys.get('token', { token: tenant }, 0)?.gate.take(0, 1_000);
  expect(keys.size).toBe(1_000);
});

test('a pool that a call has just been given is not forgotten when its next one is created', () => {
  const keys = new ThrottleKeys(limits, createPool);
  // One more, so that the second pool of a call is the one that exceeds the number.
  keys.get('token', { token: 'alone' }, 0);
  for (let tenant = 0; tenant < 500; tenant += 1) {
    const key = { token: tenant, accountId: 1000 + tenant };
    const stats = keys.get('stats', key, tenant * 1e6);
    keys.get('token', key, tenant * 1e6);
    expect(keys.find('stats', key)).toBe(stats);
  }
});

test('looking creates nothing', () => {
  const keys = new ThrottleKeys(limits, createPool);
  expect(keys.find('token', { token: 'a' })).toBeUndefined();
  expect(keys.get('contacts', { token: 'a' }, 0)).toBeUndefined();
  expect(keys.size).toBe(0);
});
