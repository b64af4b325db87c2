import type { LimitedPool } from './limited-pool.ts';

/** When a request can be expected to go out, and the pool that takes longest to let it. */
export interface Forecast {
  readonly pool: LimitedPool;
  readonly ms: number;
}

/**
 * How long it takes, at a guess, until the last of `count` further requests in `pools` and of `rank` is sent: behind
 * those in line before them, and as if every request were answered at once.
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
    // Whole milliseconds; less than a thousandth of one is what the sums of such times are off by.
    const ms = Math.max(0, Math.ceil(exactMs - 0.001));
    if (longest === undefined || ms > longest.ms) longest = { pool, ms };
  }
  return longest;
}

/** Calls in line that will take a permit of `pool` first. Those held up by a pool of their own take only what that lets through. */
function goingBefore(pool: LimitedPool, pools: readonly LimitedPool[], rank: number, now: number): number {
  let before = 0;
  for (const lane of pool.lanes) {
    const own = lane.pools.filter((other) => !pools.includes(other)).map((other) => other.gate.left(now));
    before += Math.min(lane.line.sizeUpTo(rank), ...own);
  }
  return before;
}
