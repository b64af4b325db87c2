import { expect, test } from 'vitest';
import { Permit } from '../../src/throttle/permit.ts';
import { Pool } from '../../src/throttle/pool.ts';
import { Queues } from '../../src/throttle/queues.ts';

const limit = { requests: 1, perMs: 1_000 };
const pool = (name: 'token' | 'stats') => new Pool(name, limit);
let asked = 0;
const permitOf = (pools: readonly Pool[], isRetry = false) =>
  new Permit(
    { key: { token: 'token' }, priority: 'normal', isRetry, timeoutMs: 1_000 },
    pools,
    (asked += 1),
    () => undefined,
  );

test.each([
  ['one pool', [pool('token')]],
  ['two pools', [pool('token'), pool('stats')]],
])('an empty queue of %s is removed, so that memory stays bounded', (_, pools) => {
  const queues = new Queues();
  const queuesOf = () => pools.map((one) => [...queues.of(one)].map((queue) => queue.size));
  const [first, second, retry] = [permitOf(pools), permitOf(pools), permitOf(pools, true)];
  queues.add(first);
  queues.add(second);
  queues.add(retry);
  expect(queuesOf()).toEqual(pools.map(() => [1, 2]));
  queues.remove(first);
  queues.remove(retry);
  expect(queuesOf()).toEqual(pools.map(() => [1]));
  queues.remove(second);
  expect(queuesOf()).toEqual(pools.map(() => []));
});

test('the queue of two pools stays in both while a permit waits in it', () => {
  const [token, stats] = [pool('token'), pool('stats')];
  const queues = new Queues();
  const [alone, both] = [permitOf([token]), permitOf([token, stats])];
  queues.add(alone);
  queues.add(both);
  queues.remove(alone);
  expect([...queues.of(token)]).toEqual([new Set([both])]);
  expect([...queues.of(stats)]).toEqual([new Set([both])]);
});
