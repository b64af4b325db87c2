import { MAX_TIMER_MS } from '../core/clock.ts';
import type { Permit, PermitRequest, PlaceInLine } from '../core/throttle.ts';
import { forecast } from './forecast.ts';
import { joinLane, laneFor, leaveLane, nextInLine } from './lane.ts';
import { WaitingCall, type LimitedPool } from './limited-pool.ts';
import { rankOf, RANKS } from './line.ts';
import type { Runtime } from '../core/runtime.ts';
import { LocalPermit, type PermitIssuer } from './local-permit.ts';

/** The clock and timers of a throttle. */
export type ThrottleClock = Pick<Runtime, 'now' | 'setTimer'>;

/**
 * Grants permits: at once, or when a queued call's turn comes.
 *
 * What always holds: every queued call has a pool without room, and that pool has an alarm set, unless only the end of
 * a request in flight can make room, which leads to `review`. So no queued call is forgotten. And alarms are set only
 * for pools that calls wait for, so a throttle's timers keep a process alive only while there is a call to send.
 */
export class Dispatcher implements PermitIssuer {
  readonly #clock: ThrottleClock;
  #joined = 0;

  constructor(clock: ThrottleClock) {
    this.#clock = clock;
  }

  /** The current time. */
  readonly now = (): number => this.#clock.now();

  /** A permit in all of `pools`, or a place in the queue until all of them have room. */
  acquire(pools: readonly LimitedPool[], request: PermitRequest): Permit | PlaceInLine {
    const now = this.now();
    const rank = rankOf(request.priority, request.isRetry);
    // There may be room whose alarm is still to fire. The queued calls that go before this one take it first.
    for (const pool of pools) if (pool.waiting > 0) this.#serve(pool, now, rank);
    if (pools.every((pool) => pool.gate.hasRoom(now))) return this.#take(pools, request, now);
    return this.#wait(pools, request, rank, now);
  }

  /** Grants permits to the queued calls for which these pools have room by now, and sets alarms for the others. */
  readonly review = (pools: readonly LimitedPool[], now: number): void => {
    for (const pool of pools) if (pool.waiting > 0) this.#serve(pool, now, RANKS - 1);
  };

  #serve(pool: LimitedPool, now: number, lowestRank: number): void {
    while (pool.waiting > 0 && pool.gate.hasRoom(now)) {
      const call = nextInLine(pool, now, lowestRank);
      if (call === undefined) break;
      call.leave();
      call.request.granted(this.#take(call.lane.pools, call.request, now));
    }
    this.#setAlarm(pool, now);
  }

  #take(pools: readonly LimitedPool[], request: PermitRequest, now: number): Permit {
    const permit = new LocalPermit(this, pools, now, request.timeoutMs);
    for (const pool of pools) if (pool.waiting > 0) this.#setAlarm(pool, now);
    return permit;
  }

  #wait(pools: readonly LimitedPool[], request: PermitRequest, rank: number, now: number): PlaceInLine {
    const { onWait } = request;
    const wait = onWait && forecast(pools, 1, rank, now);
    if (wait !== undefined) {
      const { name, waiting } = wait.pool;
      onWait?.({ pool: name, waiting: waiting + 1, expectedWaitMs: wait.ms });
    }
    this.#joined += 1;
    const call = new WaitingCall(request, laneFor(pools), rank, this.#joined, leave);
    joinLane(call);
    this.review(pools, now);
    return call;
  }

  #setAlarm(pool: LimitedPool, now: number): void {
    // With room here, the queued calls wait for their other pool, and that one has the alarm.
    if (pool.waiting === 0 || pool.gate.hasRoom(now)) return;
    const at = pool.gate.lookAgainAt(now);
    if (at === Infinity || (pool.alarm !== undefined && pool.alarm.at <= at)) return;
    cancelAlarm(pool);
    const cancel = this.#clock.setTimer(Math.min(at - now, MAX_TIMER_MS), () => {
      pool.alarm = undefined;
      // A timer may fire early or late, so the clock decides.
      this.#serve(pool, this.now(), RANKS - 1);
    });
    pool.alarm = { at, cancel };
  }
}

function cancelAlarm(pool: LimitedPool): void {
  pool.alarm?.cancel();
  pool.alarm = undefined;
}

function leave(call: WaitingCall): void {
  leaveLane(call);
  for (const pool of call.lane.pools) if (pool.waiting === 0) cancelAlarm(pool);
}
