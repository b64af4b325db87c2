import { goesBefore } from '../throttle/lane.ts';
import type { Lane, LimitedPool } from '../throttle/limited-pool.ts';
import { RANKS } from '../throttle/line.ts';
import { SharedGate } from './shared-gate.ts';

/** Everybody. */
const LAST_RANK = RANKS - 1;

/**
 * Leases asked for at once. Bottleneck takes a few milliseconds for each, one after the other, and cannot be told that
 * one is not needed any more: more would be of no use, and each that comes too late costs others a little time.
 */
export const AT_ONCE = 8;

/**
 * How many permits of a pool could be used at once by those in line, `most` at most. Leases are asked for while they
 * can be used, and no earlier, for what one process holds others lack.
 *
 * A request that counts in two pools needs both permits together, and no process can ask Redis for that. So the one
 * of the account is asked for first, only for calls that would be next to get a permit of their token, and the one of
 * the token when the account's is there. The token's, for which most calls wait, is thereby never held idle, and the
 * account's for no longer than the token takes to serve the next one; nor do calls that wait for their account hold up
 * those that do not.
 */
export function demandFor(pool: LimitedPool, most: number, now: number): number {
  let demand = 0;
  if (most <= 0) return demand;
  for (const lane of pool.lanes) {
    const [token, account] = lane.pools;
    if (token === undefined || account === undefined) demand += lane.line.size;
    else if (pool === token) demand += Math.min(lane.line.size, usableNow(account, now));
    else if (isNext(lane, token, now)) demand += token.lanes.size === 1 ? lane.line.size : 1;
  }
  return Math.min(demand, most);
}

/** Permits the pool could hand out now. */
function usableNow({ gate }: LimitedPool, now: number): number {
  if (!gate.hasRoom(now)) return 0;
  return gate instanceof SharedGate && gate.mode === 'shared' ? gate.inHand : gate.left(now);
}

/** Whether nobody who only lacks a permit of the token stands before the first of this lane. */
function isNext(lane: Lane, token: LimitedPool, now: number): boolean {
  const first = lane.line.first(LAST_RANK);
  if (first === undefined) return false;
  for (const other of token.lanes) {
    const rival = other === lane ? undefined : other.line.first(LAST_RANK);
    if (rival === undefined || !goesBefore(rival, first)) continue;
    if (other.pools.every((pool) => pool === token || pool.gate.hasRoom(now))) return false;
  }
  return true;
}
