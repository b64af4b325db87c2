import { afterEach, beforeEach, expect, test } from 'vitest';
import { redisThrottle, type RedisThrottle } from 'email-platform/redis';
import { beforeExit } from '../../src/redis/before-exit.ts';

/** As much of an ioredis client as is looked at: it cannot be duplicated, and so nothing connects. */
const redis = { duplicate: () => undefined, defineCommand: () => undefined };

let before: readonly unknown[];
beforeEach(() => {
  before = process.listeners('beforeExit');
});
afterEach(() => expect(process.listeners('beforeExit')).toEqual(before));

const ours = () => process.listeners('beforeExit').filter((listener) => !before.includes(listener));

test('any number of throttles listen for the end of the process by one listener', async () => {
  const throttles: RedisThrottle[] = Array.from({ length: 12 }, () => redisThrottle({ redis }));
  expect(ours()).toHaveLength(1);
  await Promise.all(throttles.slice(1).map((throttle) => throttle.close()));
  expect(ours()).toHaveLength(1);
  await throttles[0]?.close();
});

test('it tells each of them, though they leave as they are told', () => {
  const told: number[] = [];
  const leave = [1, 2, 3].map((name) =>
    beforeExit(() => {
      told.push(name);
      leave[name - 1]?.();
    }),
  );
  leave[1]?.();
  const [listener] = ours() as (() => void)[];
  listener?.();
  expect(told).toEqual([1, 3]);
});
