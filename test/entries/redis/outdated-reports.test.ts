import { describe, expect, test } from 'vitest';
import { SharedPool } from '../../../src/entries/redis/shared-pool.ts';

const limit = { requests: 8, perMs: 400 };
/** Until then, permits of other processes may be in use: a window, and two seconds for requests in flight. */
const UNTIL_MS = 2_400;

const store = { newId: () => 'id', returnIn: () => undefined, block: () => undefined };

/** A pool, with a report of the permits that all processes use. */
function pool({ used, at }: { used: number; at: number }): SharedPool {
  const made = new SharedPool('token', limit, 'key', store, () => () => 0);
  made.follow(true, undefined, at);
  made.receive([used, 0, 0], [], () => 0, at);
  return made;
}

describe('when Redis is lost, a pool without permits of this process', () => {
  test('uses its share of the free permits if Redis has just reported them', () => {
    const two = pool({ used: 4, at: 9_000 });
    two.follow(false, { sharers: 2, since: 10_000, heardAt: 10_000 }, 10_000);
    expect(two.usable(10_000)).toBe(2);
    expect(two.usable(10_000 + UNTIL_MS)).toBe(4);
  });

  test('uses none if Redis has reported other pools since', () => {
    const two = pool({ used: 4, at: 8_000 });
    two.follow(false, { sharers: 2, since: 10_000, heardAt: 10_000 }, 10_000);
    expect(two.usable(10_000)).toBe(0);
    expect(two.usable(9_999 + UNTIL_MS)).toBe(0);
    expect(two.usable(10_000 + UNTIL_MS)).toBe(4);
  });

  test('uses the last report however long Redis has been silent to all', () => {
    const two = pool({ used: 4, at: 6_000 });
    two.follow(false, { sharers: 2, since: 10_000, heardAt: 6_000 }, 10_000);
    expect(two.usable(10_000)).toBe(2);
  });

  test('uses none if it is new: other processes may use it', () => {
    const two = new SharedPool('token', limit, 'key', store, () => () => 0);
    two.follow(false, { sharers: 2, since: 10_000, heardAt: 10_000 }, 11_000);
    expect(two.usable(11_000)).toBe(0);
    expect(two.usable(10_000 + UNTIL_MS)).toBe(4);
  });

  test('uses its share at once if it is new, and the permits of other processes have been returned', () => {
    const two = new SharedPool('token', limit, 'key', store, () => () => 0);
    two.follow(false, { sharers: 2, since: 10_000, heardAt: 10_000 }, 10_000 + UNTIL_MS);
    expect(two.usable(10_000 + UNTIL_MS)).toBe(4);
  });

  test('uses its share at once if Redis was never reached', () => {
    const two = new SharedPool('token', limit, 'key', store, () => () => 0);
    two.follow(false, { sharers: 2, since: 10_000, heardAt: -Infinity }, 10_000);
    expect(two.usable(10_000)).toBe(4);
  });
});
