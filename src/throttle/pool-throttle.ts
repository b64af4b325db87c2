import { memberOf } from '../core/record.ts';
import { MAX_TIMER_MS } from '../core/runtime.ts';
import type {
  PoolName,
  PoolSnapshot,
  RateLimit,
  ThrottleSnapshot,
  RateLimitWindows,
} from '../core/limits.ts';
import { createRuntime, type Runtime } from '../core/runtime.ts';
import { stopwatch } from '../core/steady-time.ts';
import { AlignedWindows } from './aligned-windows.ts';
import { POOL_NAMES, PUBLISHED_LIMITS, type ThrottleOptions } from './limits.ts';
import { Permit, rankOf, type PermitRequest, type ThrottleKey } from './permit.ts';
import type { Ending, LimitCount, Pace } from './permit-window.ts';
import { Pool } from './pool.ts';
import { Queues, type Queue } from './queues.ts';
import { SilentPermits } from './silent-permits.ts';
import { THROTTLE, type Closing, type Throttle } from './throttle.ts';

/** The number of tokens and accounts up to which all are kept. */
const FEW = 60;

/**
 * Keeps the pools of every active token and account, and grants permits: at once, or in the order of the queue.
 *
 * The invariant: every queued permit has a full pool, and that pool has an alarm; a pool that only the end of a request
 * in flight can free has none, because that end calls `review`. So every permit is granted in the end. Only pools with
 * waiting permits have alarms, so a throttle's timers keep a process alive only while a call waits.
 */
export class PoolThrottle implements Throttle {
  readonly [Symbol.toStringTag] = THROTTLE;
  /** The pools by token, and by account id, which is a number and so never equals a token. Private: it holds tokens. */
  readonly #owners = new Map<unknown, Map<PoolName, Pool>>();
  /** The limits in force; a pool that is switched off has none. */
  readonly #limits = new Map<PoolName, RateLimit>();
  readonly #pace: Pace | undefined;
  readonly #windows: RateLimitWindows | undefined;
  readonly #runtime: Runtime;
  readonly #queues = new Queues();
  readonly #silent = new SilentPermits();
  readonly #epoch: () => unknown;
  #begun: unknown;
  #forgetAt = FEW;
  #asked = 0;

  constructor(options: ThrottleOptions, runtime?: Partial<Runtime>, epoch: () => unknown = () => undefined) {
    const { limits = {}, pace, windows } = options;
    for (const name of POOL_NAMES) {
      const limit = (memberOf(limits, name) ?? PUBLISHED_LIMITS[name]) as RateLimit | false;
      // A copy, so that later changes by the caller have no effect.
      if (limit) this.#limits.set(name, { ...limit });
    }
    this.#pace = pace;
    this.#windows = windows;
    this.#runtime = createRuntime(runtime);
    this.#epoch = epoch;
    this.#begun = epoch();
  }

  acquire(request: PermitRequest): Permit {
    const now = this.now();
    this.#asked += 1;
    const pools = this.#poolsFor(request.key, request.pool, now);
    const permit = new Permit(request, pools, this.#asked, this.#end);
    if (pools.every((pool) => pool.waiting === 0 && pool.roomAt(now) <= now)) this.#grant(permit, now);
    else {
      const queue = this.#queues.add(permit);
      for (const pool of pools) pool.waiting += 1;
      this.review(pools, now);
      if (permit.state === 'waiting') this.queued(permit, queue);
    }
    return permit;
  }

  look(permit: Permit): number {
    const now = this.now();
    this.#silent.endSilent(now);
    this.review(permit.pools, now);
    this.#silent.heard(permit, now);
    return Math.max(...permit.pools.map((pool) => pool.roomAt(now))) - now;
  }

  block(key: ThrottleKey, name: PoolName, ms: number): Closing {
    const now = this.now();
    const pool = this.#pool(name, key);
    const givesUpWindows = pool?.distrust(now) === true;
    pool?.block(ms, now);
    if (pool) this.review([pool], now);
    return { isClosed: pool !== undefined, givesUpWindows };
  }

  limitOf(pool: PoolName): RateLimit | undefined {
    return this.#limits.get(pool);
  }

  snapshot(key: ThrottleKey): ThrottleSnapshot {
    const now = this.now();
    this.#beginAnew();
    const snapshot: Partial<Record<PoolName, PoolSnapshot>> = {};
    for (const [name, limit] of this.#limits) {
      const pool = this.#owners.get(this.ownerOf(name, key))?.get(name) ?? new Pool(name, limit);
      const { blockedUntil, waiting } = pool;
      const reopensAt = new Date(this.#runtime.wallNow() + blockedUntil - now);
      const blocked = blockedUntil > now && { blockedUntil: reopensAt };
      const kind = this.#windows === 'aligned' && { windows: pool.windows(now) ?? this.#windows };
      const { requests, perMs } = limit;
      const size = requests !== PUBLISHED_LIMITS.sandbox.requests && { requests };
      snapshot[name] = { ...size, perMs, used: pool.used(now), waiting, ...blocked, ...kind };
    }
    return snapshot;
  }

  estimate(count: number, name: PoolName, key: ThrottleKey): number {
    const now = this.now();
    const pools = count > 0 ? this.#poolsFor(key, name, now) : [];
    return this.#forecast(pools, count, rankOf('normal', false), now)?.ms ?? 0;
  }

  /** Grants the permits for which these pools have room now, in the order of their rank. */
  review(pools: readonly Pool[], now: number): void {
    for (const pool of pools) {
      for (let next = this.#next(pool, now); next; next = this.#next(pool, now)) {
        this.#leave(next);
        this.#grant(next, now);
      }
      this.#setAlarm(pool, now);
    }
  }

  protected now(): number {
    return this.#runtime.now();
  }

  /** Starts to measure. The stopwatch counts the time of a stopped process and of a suspended machine. */
  protected readonly stopwatch = (): (() => number) => stopwatch(this.#runtime);

  /** Every pool. */
  protected get pools(): Pool[] {
    return [...this.#owners.values()].flatMap((owned) => [...owned.values()]);
  }

  /** The owner of the pool: a token or an account. Without an account id the token stands for its account. */
  protected ownerOf(name: PoolName, { token, accountId }: ThrottleKey): unknown {
    return name === 'token' ? token : (accountId ?? token);
  }

  /** Creates a pool of the token or account in `key`. */
  protected createPool(name: PoolName, limit: RateLimit, _key: ThrottleKey): Pool {
    const aligned = this.#windows === 'aligned' ? new AlignedWindows(limit) : undefined;
    return new Pool(name, limit, this.#pace, aligned);
  }

  /** A permit has been queued. */
  protected queued(permit: Permit, _queue: Queue): void {
    this.announce(permit);
  }

  /** Reports a wait to its call; `degraded` if the cause is a shared throttle without its store. */
  protected announce({ pools, rank, request: { onWait } }: Permit, degraded = false): void {
    const wait = onWait && this.#forecast(pools, 0, rank, this.now());
    if (!wait) return;
    const { name, waiting } = wait.pool;
    onWait({ pool: name, waiting, expectedWaitMs: wait.ms, ...(degraded && { degraded }) });
  }

  /** A pool, created at its first use; undefined if it is switched off. */
  #pool(name: PoolName, key: ThrottleKey): Pool | undefined {
    const limit = this.#limits.get(name);
    if (!limit) return undefined;
    this.#beginAnew();
    const owner = this.ownerOf(name, key);
    const owned = this.#owners.get(owner) ?? new Map<PoolName, Pool>();
    this.#owners.set(owner, owned);
    const pool = owned.get(name) ?? this.createPool(name, limit, key);
    owned.set(name, pool);
    return pool;
  }

  /**
   * Resets the pools after a restart of the service, which forgets earlier requests. Waiting permits keep their pools.
   */
  #beginAnew(): void {
    const epoch = this.#epoch();
    if (epoch === this.#begun) return;
    this.#begun = epoch;
    this.#owners.clear();
  }

  /** The pools a request counts against, the token's first. */
  #poolsFor(key: ThrottleKey, name: PoolName = 'token', now: number): Pool[] {
    // Forgets idle tokens and accounts whenever the number of owners has doubled, so that memory stays bounded.
    // Stryker disable next-line ConditionalExpression,EqualityOperator: looks for idle ones more often, which costs time only
    if (this.#owners.size > this.#forgetAt) {
      for (const [owner, owned] of this.#owners)
        if ([...owned.values()].every((pool) => pool.isIdle(now))) this.#owners.delete(owner);
      // Stryker disable next-line MethodExpression,ArithmeticOperator: the same
      this.#forgetAt = Math.max(FEW, 2 * this.#owners.size);
    }
    const names: PoolName[] = name === 'token' ? ['token'] : ['token', name];
    return names.flatMap((each) => this.#pool(each, key) ?? []);
  }

  #grant(permit: Permit, now: number): void {
    permit.grant(now);
    for (const pool of permit.pools) pool.take(permit, now);
    for (const pool of permit.pools) this.#setAlarm(pool, now);
  }

  /** Called when a permit ends. */
  readonly #end = (permit: Permit, wasOut: boolean, ending: Ending, counts: LimitCount): void => {
    const now = this.now();
    if (wasOut) {
      for (const pool of permit.pools) pool.end(permit, ending, counts, now);
      this.review(permit.pools, now);
    } else {
      this.#leave(permit);
      // Makes no room, so the others keep waiting for their alarm. Thousands may leave at once.
      for (const pool of permit.pools) if (pool.waiting === 0) this.#setAlarm(pool, now);
    }
  };

  /** The next permit that waits for this pool: the first of a queue whose pools all have room. */
  #next(pool: Pool, now: number): Permit | undefined {
    let next: Permit | undefined;
    // Checked first, because most pools are full or have no waiting permit.
    if (pool.waiting === 0 || pool.roomAt(now) > now) return next;
    for (const [first] of this.#queues.of(pool)) {
      if (!first || (next && next.order < first.order)) continue;
      if (first.pools.every((each) => each.roomAt(now) <= now)) next = first;
    }
    return next;
  }

  #leave(permit: Permit): void {
    this.#queues.remove(permit);
    for (const pool of permit.pools) pool.waiting -= 1;
  }

  /** Sets a timer for the time at which the pool may have room, if a permit waits for it. */
  #setAlarm(pool: Pool, now: number): void {
    pool.stopAlarm?.();
    const ms = pool.waiting > 0 ? pool.roomAt(now) - now : 0;
    const alarm = () => {
      this.review([pool], this.now());
    };
    pool.stopAlarm =
      ms > 0 && ms < Infinity ? this.#runtime.setTimer(Math.min(ms, MAX_TIMER_MS), alarm) : undefined;
  }

  /**
   * Milliseconds until `count` further requests of `rank` have been sent after the queued ones, and the pool with the
   * longest wait. Assumes that every request is answered at once.
   */
  #forecast(pools: readonly Pool[], count: number, rank: number, now: number) {
    const waits = pools.map((pool) => {
      let nth = count;
      for (const queue of this.#queues.of(pool)) {
        const [first] = queue;
        if (!first || first.rank > rank) continue;
        // Permits that also need another pool count only up to the room of that pool: the rest wait there.
        const elsewhere = first.pools.filter((other) => !pools.includes(other));
        nth += Math.min(queue.size, ...elsewhere.map((other) => other.left(now)));
      }
      // Whole milliseconds, rounded up. The margin absorbs floating-point error, which would add a millisecond.
      return { pool, ms: Math.max(0, Math.ceil(pool.expect(nth, now) - now - 0.001)) };
    });
    return waits.sort((one, other) => other.ms - one.ms)[0];
  }
}
