import type { LimitedPool } from './limited-pool.ts';

/** How long a request is expected to wait, and the pool that makes it wait longest. */
export interface Forecast {
  readonly pool: LimitedPool;
  readonly ms: number;
}

/**
 * Estimates how long it takes until `count` further requests of `rank` that need `pools` have been sent: behind the
 * queued calls that go first, and as if every request were answered at once. Each pool is estimated by itself, and the
 * slowest decides.
 */
export function forecast(
  pools: readonly LimitedPool[],
  count: number,
  rank: number,
  now: number,
): Forecast | undefined {
  let longest: Forecast | undefined;
  for (const pool of pools) {
    const exactMs = pool.gate.expect(goingBefore(pool, pools, rank, now) + count, now) - now;
    // Whole milliseconds, rounded up. The margin absorbs floating-point error, which would add a millisecond.
    const ms = Math.max(0, Math.ceil(exactMs - 0.001));
    if (longest === undefined || ms > longest.ms) longest = { pool, ms };
  }
  return longest;
}

/**
 * Queued calls that will take a permit of `pool` first. If a lane also needs a pool that the estimate is not about, at
 * most as many of its calls count as that pool has room for: the others wait there, and take no permit here meanwhile.
 */
function goingBefore(pool: LimitedPool, pools: readonly LimitedPool[], rank: number, now: number): number {
  let before = 0;
  for (const lane of pool.lanes) {
    const own = lane.pools.filter((other) => !pools.includes(other)).map((other) => other.gate.left(now));
    before += Math.min(lane.line.sizeUpTo(rank), ...own);
  }
  return before;
}
