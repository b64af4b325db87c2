import type { Lane, LimitedPool, WaitingCall } from './limited-pool.ts';
import { Line } from './line.ts';

/** The lane for these pools, created if there is none. */
export function laneFor(pools: readonly LimitedPool[]): Lane {
  const [first, second] = pools;
  for (const lane of first?.lanes ?? []) if (lane.pools[1] === second) return lane;
  const lane: Lane = { pools, line: new Line() };
  for (const pool of pools) pool.lanes.add(lane);
  return lane;
}

/** Queues a call in its lane, behind the others of its rank. */
export function joinLane(call: WaitingCall): void {
  call.lane.line.join(call);
  for (const pool of call.lane.pools) pool.waiting += 1;
}

/** Takes a call out of its lane, and removes the lane with its last call. */
export function leaveLane(call: WaitingCall): void {
  const { line, pools } = call.lane;
  line.leave(call);
  for (const pool of pools) {
    pool.waiting -= 1;
    if (line.size === 0) pool.lanes.delete(call.lane);
  }
}

/**
 * The call that goes next of those that need `pool` and have `lowestRank` or a lower one. Only the first call of each
 * lane is looked at; if its other pool is full, the whole lane has to wait, and the other lanes do not.
 */
export function nextInLine(pool: LimitedPool, now: number, lowestRank: number): WaitingCall | undefined {
  let next: WaitingCall | undefined;
  for (const lane of pool.lanes) {
    const first = lane.line.first(lowestRank);
    if (first === undefined || (next !== undefined && !goesBefore(first, next))) continue;
    if (lane.pools.every((other) => other === pool || other.gate.hasRoom(now))) next = first;
  }
  return next;
}

/** Whether one call goes before another. */
export function goesBefore(one: WaitingCall, other: WaitingCall): boolean {
  return one.rank < other.rank || (one.rank === other.rank && one.order < other.order);
}
