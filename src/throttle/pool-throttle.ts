import { MAX_TIMER_MS } from '../core/clock.ts';
import type { AccountPoolName, PoolName, PoolSnapshot, RateLimit, ThrottleSnapshot } from '../core/limits.ts';
import type { Runtime } from '../core/runtime.ts';
import { POOL_NAMES, type LimitTable } from './limits.ts';
import { Permit, rankOf, type PermitRequest, type ThrottleKey } from './permit.ts';
import type { Ending, Pace } from './permit-window.ts';
import { Pool, type LimitCount } from './pool.ts';
import { goesBefore, Queue } from './queue.ts';
import { THROTTLE, type Throttle } from './throttle.ts';

/** A request that is so late with a sign of life has been cancelled. */
const SILENCE_MS = 5_000;
/** Below this many tokens and accounts, none are forgotten. */
const FEW = 64;

/**
 * Keeps the pools of every token and account in use, and grants permits: at once, or when it is a queued permit's turn.
 *
 * What always holds: every queued permit has a pool without room, and that pool has an alarm set, unless only the end
 * of a request in flight can make room, which leads to `review`. So none is forgotten; where requests are isolated, and
 * alarms end with them, each looks by itself. Alarms are set only for pools that permits wait for, so a throttle's timers
 * keep a process alive only while there is a call to send.
 */
export class PoolThrottle implements Throttle {
  readonly [Symbol.toStringTag] = THROTTLE;
  readonly #limits: LimitTable;
  readonly #pace: Pace;
  readonly #runtime: Pick<Runtime, 'now' | 'wallNow' | 'setTimer'>;
  /** By token, and by account id, which is a number and so never equals a token. */
  readonly #owners = new Map<unknown, Map<PoolName, Pool>>();
  /** The queues in which permits wait for a pool; none is empty. */
  readonly #queues = new Map<Pool, Set<Queue>>();
  /** Where requests are isolated: until when each permit is kept without a sign of life, and how it ends otherwise. */
  readonly #leases = new Map<Permit, { readonly until: number; readonly ending: Ending }>();
  #forgetAt = FEW;
  #takeBackAt = -Infinity;
  #asked = 0;

  constructor(limits: LimitTable, pace: Pace, runtime: Pick<Runtime, 'now' | 'wallNow' | 'setTimer'>) {
    this.#limits = limits;
    this.#pace = pace;
    this.#runtime = runtime;
  }

  acquire(request: PermitRequest): Permit {
    const now = this.now();
    this.#asked += 1;
    const pools = this.#poolsFor(request.key, request.pool, now);
    const permit = new Permit(request, pools, this.#asked, this.#end);
    if (pools.every((pool) => pool.waiting === 0 && pool.hasRoom(now))) {
      this.#grant(permit, now);
      return permit;
    }
    const queue = this.#join(permit);
    this.review(pools, now);
    if (permit.state === 'waiting') this.queued(permit, queue);
    return permit;
  }

  look(permit: Permit): number {
    const now = this.now();
    this.#takeBack(now);
    this.review(permit.pools, now);
    const isOut = permit.state === 'out';
    const until = now + SILENCE_MS + (isOut ? permit.timeoutMs : 0);
    this.#leases.set(permit, { until, ending: isOut ? 'abandoned' : 'neverSent' });
    return Math.min(...permit.pools.map((pool) => pool.nextRoomAt(now))) - now;
  }

  block(key: ThrottleKey, name: PoolName, ms: number): boolean {
    const now = this.now();
    const pool = this.pool(name, key, now);
    if (pool === undefined || !Number.isFinite(ms) || ms <= 0) return false;
    pool.block(ms, now);
    this.review([pool], now);
    return true;
  }

  snapshot(key: ThrottleKey): ThrottleSnapshot {
    const now = this.now();
    const snapshot: Partial<Record<PoolName, PoolSnapshot>> = {};
    for (const name of POOL_NAMES) {
      const limit = this.#limits[name];
      const pool = this.#owners.get(this.ownerOf(name, key))?.get(name);
      if (pool) snapshot[name] = this.#snapshotOf(pool, now);
      else if (limit) snapshot[name] = { ...limit, used: 0, waiting: 0 };
    }
    return snapshot;
  }

  estimate(count: number, name: PoolName, key: ThrottleKey): number {
    const now = this.now();
    const pools = this.#poolsFor(key, name === 'token' ? undefined : name, now);
    return count > 0 ? (this.#forecast(pools, Math.ceil(count), rankOf('normal', false), now)?.ms ?? 0) : 0;
  }

  /** Grants permits for which these pools have room by now: who goes next is decided here. */
  review(pools: Iterable<Pool>, now: number): void {
    for (const pool of pools) {
      while (pool.waiting > 0 && pool.hasRoom(now)) {
        const next = this.#next(pool, now);
        if (next === undefined) break;
        this.#leave(next);
        this.#grant(next, now);
      }
      this.#setAlarm(pool, now);
    }
  }

  /** Number of tokens and accounts. */
  get size(): number {
    return this.#owners.size;
  }

  protected now(): number {
    return this.#runtime.now();
  }

  /** Every pool there is. */
  protected get pools(): Pool[] {
    return [...this.#owners.values()].flatMap((owned) => [...owned.values()]);
  }

  /** Whose pool it is: a token's or an account's. Without an account id the token stands for its account. */
  protected ownerOf(name: PoolName, { token, accountId }: ThrottleKey): unknown {
    return name === 'token' ? token : (accountId ?? token);
  }

  /** Creates a pool of the token or account in `key`. */
  protected createPool(name: PoolName, limit: RateLimit, _key: ThrottleKey): Pool {
    return new Pool(name, limit, this.#pace);
  }

  /** A permit has been queued. */
  protected queued(permit: Permit, _queue: Queue): void {
    this.announce(permit);
  }

  /** Tells a call that it waits; `degraded` if that is so because a shared throttle is without its store. */
  protected announce(permit: Permit, degraded = false): void {
    const { pools, rank, request } = permit;
    if (!request.onWait) return;
    const wait = this.#forecast(pools, 0, rank, this.now());
    if (!wait) return;
    const { name, waiting } = wait.pool;
    request.onWait({ pool: name, waiting, expectedWaitMs: wait.ms, ...(degraded && { degraded }) });
  }

  /** A pool, created if need be; undefined if it is switched off. */
  protected pool(name: PoolName, key: ThrottleKey, now: number): Pool | undefined {
    const limit = this.#limits[name];
    if (limit === undefined) return undefined;
    const owner = this.ownerOf(name, key);
    let owned = this.#owners.get(owner);
    const existing = owned?.get(name);
    if (existing !== undefined) return existing;
    if (owned === undefined) {
      this.#forgetIdle(key, now);
      owned = new Map();
      this.#owners.set(owner, owned);
    }
    const pool = this.createPool(name, limit, key);
    owned.set(name, pool);
    return pool;
  }

  /** The pools a request counts against, the token's first. */
  #poolsFor(key: ThrottleKey, account: AccountPoolName | undefined, now: number): Pool[] {
    const names: readonly PoolName[] = account === undefined ? ['token'] : ['token', account];
    return names.flatMap((name) => this.pool(name, key, now) ?? []);
  }

  /**
   * Forgets idle tokens and accounts whenever their number has doubled, so that any number can come and go. Not those
   * of `key`: a call may just have been given one of its pools, which is idle until the call has the other as well.
   */
  #forgetIdle(key: ThrottleKey, now: number): void {
    if (this.size < this.#forgetAt) return;
    const kept = POOL_NAMES.map((name) => this.ownerOf(name, key));
    for (const [owner, owned] of this.#owners) {
      const isIdle = [...owned.values()].every((pool) => pool.isIdle(now));
      if (isIdle && !kept.includes(owner)) this.#owners.delete(owner);
    }
    this.#forgetAt = Math.max(FEW, 2 * this.size);
  }

  #grant(permit: Permit, now: number): void {
    permit.grant(now);
    for (const pool of permit.pools) pool.take(permit, now);
    for (const pool of permit.pools) this.#setAlarm(pool, now);
  }

  /** Ends what cancelled requests have left behind: they run no code any more. */
  #takeBack(now: number): void {
    if (now < this.#takeBackAt) return;
    this.#takeBackAt = now + SILENCE_MS / 5;
    for (const [permit, { until, ending }] of this.#leases) {
      if (until < now) permit.end(ending);
      if (permit.state === 'ended') this.#leases.delete(permit);
    }
  }

  /** How every permit ends. */
  readonly #end = (permit: Permit, wasOut: boolean, ending: Ending, counts: LimitCount): void => {
    const now = this.now();
    if (!wasOut) this.#leave(permit);
    else for (const pool of permit.pools) pool.end(permit, ending, counts, now);
    this.review(permit.pools, now);
  };

  /** The permit that goes next of those that wait for this pool: the first of a queue whose other pools have room. */
  #next(pool: Pool, now: number): Permit | undefined {
    let next: Permit | undefined;
    for (const { first, pools } of this.#queues.get(pool) ?? []) {
      if (first === undefined || (next !== undefined && !goesBefore(first, next))) continue;
      if (pools.every((other) => other === pool || other.hasRoom(now))) next = first;
    }
    return next;
  }

  #queueOf([first, second]: readonly Pool[]): Queue | undefined {
    for (const queue of (first && this.#queues.get(first)) ?? []) if (queue.pools[1] === second) return queue;
    return undefined;
  }

  #join(permit: Permit): Queue {
    const queue = this.#queueOf(permit.pools) ?? new Queue(permit.pools);
    queue.join(permit);
    for (const pool of queue.pools) {
      pool.waiting += 1;
      this.#queues.set(pool, (this.#queues.get(pool) ?? new Set()).add(queue));
    }
    return queue;
  }

  #leave(permit: Permit): void {
    const queue = this.#queueOf(permit.pools);
    queue?.leave(permit);
    for (const pool of queue?.pools ?? []) {
      pool.waiting -= 1;
      if (queue?.size === 0) this.#queues.get(pool)?.delete(queue);
      if (pool.waiting === 0) this.#queues.delete(pool);
    }
  }

  /** With room in a pool, its queued permits wait for their other pool, and that one has the alarm. */
  #setAlarm(pool: Pool, now: number): void {
    const at = pool.waiting === 0 || pool.hasRoom(now) ? Infinity : pool.nextRoomAt(now);
    if (at !== Infinity && pool.alarm !== undefined && pool.alarm.at <= at) return;
    pool.alarm?.cancel();
    pool.alarm = undefined;
    if (at === Infinity) return;
    // A timer may fire early or late, so the clock decides.
    const cancel = this.#runtime.setTimer(Math.min(at - now, MAX_TIMER_MS), () => {
      pool.alarm = undefined;
      this.review([pool], this.now());
    });
    pool.alarm = { at, cancel };
  }

  /**
   * How long it takes until `count` further requests of `rank` have been sent, behind those queued, and which pool
   * makes them wait longest; as if every request were answered at once.
   */
  #forecast(
    pools: readonly Pool[],
    count: number,
    rank: number,
    now: number,
  ): { pool: Pool; ms: number } | undefined {
    const waits = pools.map((pool) => {
      let before = 0;
      for (const queue of this.#queues.get(pool) ?? []) {
        // Of those that also need another pool, only as many come before as that has room for: the others wait there.
        const elsewhere = queue.pools
          .filter((other) => !pools.includes(other))
          .map((other) => other.left(now));
        before += Math.min(queue.sizeUpTo(rank), ...elsewhere);
      }
      // Whole milliseconds, rounded up. The margin absorbs floating-point error, which would add a millisecond.
      const ms = Math.ceil(pool.expect(before + count, now) - now - 0.001);
      return { pool, ms: Math.max(0, ms) };
    });
    return waits.sort((one, other) => other.ms - one.ms)[0];
  }

  #snapshotOf(pool: Pool, now: number): PoolSnapshot {
    const { blockedUntil } = pool;
    const reopensAt = new Date(Math.ceil(this.#runtime.wallNow() + blockedUntil - now));
    return {
      ...pool.limit,
      used: pool.used(now),
      waiting: pool.waiting,
      ...(blockedUntil > now && { blockedUntil: reopensAt }),
    };
  }
}
