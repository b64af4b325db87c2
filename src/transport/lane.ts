import type { Lane, LimitedPool, WaitingCall } from './limited-pool.ts';
import { Line } from './line.ts';

/** The lane for these pools, opened if nobody is in it. */
export function laneFor(pools: readonly LimitedPool[]): Lane {
  const [first, second] = pools;
  for (const lane of first?.lanes ?? []) if (lane.pools[1] === second) return lane;
  const lane: Lane = { pools, line: new Line() };
  for (const pool of pools) pool.lanes.add(lane);
  return lane;
}

/** Puts a call at the end of its rank in its lane. */
export function joinLane(call: WaitingCall): void {
  call.lane.line.join(call);
  for (const pool of call.lane.pools) pool.waiting += 1;
}

/** Takes a call out of its lane, and closes the lane behind the last. */
export function leaveLane(call: WaitingCall): void {
  const { line, pools } = call.lane;
  line.leave(call);
  for (const pool of pools) {
    pool.waiting -= 1;
    if (line.size === 0) pool.lanes.delete(call.lane);
  }
}

/** Who goes next of all that need `pool`, in `lowestRank` or before it; whoever lacks room elsewhere is passed over. */
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
