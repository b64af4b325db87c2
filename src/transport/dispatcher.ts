import { MAX_TIMER_MS } from '../core/clock.ts';
import type { Permit, PermitRequest, PlaceInLine } from '../core/throttle.ts';
import { forecast } from './forecast.ts';
import { joinLane, laneFor, leaveLane, nextInLine } from './lane.ts';
import { WaitingCall, type LimitedPool } from './limited-pool.ts';
import { rankOf, RANKS } from './line.ts';
import type { Runtime } from './runtime.ts';
import { LocalPermit, type PermitIssuer } from './local-permit.ts';

/** The time and timers a throttle lives by. */
export type ThrottleClock = Pick<Runtime, 'now' | 'setTimer'>;

/**
 * Hands out permits, at once or in line. For every call in line one of its pools lacks room, and that pool has an
 * alarm set, unless only the end of a request in flight can make room. Nobody waits in line without one of the two,
 * and alarms are set for nobody else: the timers keep a process alive exactly while a call waits.
 */
export class Dispatcher implements PermitIssuer {
  readonly #clock: ThrottleClock;
  #joined = 0;

  constructor(clock: ThrottleClock) {
    this.#clock = clock;
  }

  /** The time. */
  readonly now = (): number => this.#clock.now();

  /** A permit in all of `pools`, now or when they have room. */
  acquire(pools: readonly LimitedPool[], request: PermitRequest): Permit | PlaceInLine {
    const now = this.now();
    const rank = rankOf(request.priority, request.isRetry);
    // Room that came with time, its alarm still due, belongs first to those in line before this call.
    for (const pool of pools) if (pool.waiting > 0) this.#serve(pool, now, rank);
    if (pools.every((pool) => pool.gate.hasRoom(now))) return this.#take(pools, request, now);
    return this.#wait(pools, request, rank, now);
  }

  /** Lets in whoever has room in these pools by now, and sets alarms for the others. */
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
    // With room here, those in line wait for their other pool, and that one has the alarm.
    if (pool.waiting === 0 || pool.gate.hasRoom(now)) return;
    const at = pool.gate.lookAgainAt(now);
    if (at === Infinity || (pool.alarm !== undefined && pool.alarm.at <= at)) return;
    cancelAlarm(pool);
    const cancel = this.#clock.setTimer(Math.min(at - now, MAX_TIMER_MS), () => {
      pool.alarm = undefined;
      // A timer may fire early or late: the clock decides.
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
