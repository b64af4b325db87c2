/**
 * How a permit is taken and returned:
 *
 * - A request is queued, as in a single process (`PoolThrottle`).
 * - The throttle requests as many permits from Redis as it has queued requests (`RedisConnection`, `scripts`). The
 *   first requests get the granted permits (`SharedPool`).
 * - At a response, the throttle sends Redis the time at which the permit is returned.
 * - Without Redis, a process keeps to its share. When Redis is back, the process registers every permit in use.
 */
import { createHash } from 'node:crypto';
import type { PoolName, RateLimit } from '../../core/limits.ts';
import { tell } from '../../core/tried.ts';
import { invalid } from '../../core/rules.ts';
import type { Permit, ThrottleKey } from '../../throttle/permit.ts';
import type { Pool } from '../../throttle/pool.ts';
import { PoolThrottle } from '../../throttle/pool-throttle.ts';
import type { Queue } from '../../throttle/queues.ts';
import type { Throttle } from '../../throttle/throttle.ts';
import { RedisConnection, type ConnectionListener, type ConnectionState } from './connection.ts';
import { checkedRedisOptions, type RedisThrottleOptions } from './options.ts';
import { SharedPool } from './shared-pool.ts';

/** A throttle whose limits any number of processes share through Redis. */
export interface RedisThrottle extends Throttle {
  /** Whether this process keeps to its own share of the limits now, because Redis is unreachable. */
  readonly isDegraded: boolean;
  /**
   * Disconnects from Redis after all sent commands have arrived; your own client is not affected. Call it before
   * `process.exit()`. Later calls use the local share.
   */
  close(): Promise<void>;
}

/**
 * Shares the service's limits among any number of processes, through Redis. Give it to a client in place of its own
 * throttle. Like `createThrottle()`, it keeps tokens and accounts apart, and may serve many clients.
 *
 * Needs the package `ioredis` 5 or 6, and Redis 5 or later. While Redis is unreachable, calls continue under an equal
 * share of the limits for each process; the events of `onThrottle` then have `degraded: true`.
 *
 * @throws ConfigurationError when an option is unknown or wrong
 * @example
 * ```ts
 * const redis = new Redis(process.env.REDIS_URL);
 * const throttle = redisThrottle({ redis });
 * const client = new EmailPlatform({ token, throttle });
 * ```
 */
export function redisThrottle(options: RedisThrottleOptions): RedisThrottle {
  return new SharedThrottle(checkedRedisOptions(options));
}

const TICK_MS = 1_000;
const ASSUMED_PROCESSES = 10; // when the option is not set, and Redis was never reached
const SHORTEST_WAIT_MS = 10; // permits are returned in bursts, and requested together
const LONGEST_WAIT_MS = 200; // permits may be returned sooner than expected
const PORTION = 50; // pools read by one heartbeat: Redis serves no other process meanwhile

/** The requests for permits of one queue. */
interface Asking {
  /** The pools that the queued requests need. */
  readonly pools: readonly Pool[];
  /** When to request permits again; Infinity while a request is in progress. */
  at: number;
  /** The longest timeout of the queued requests. */
  timeoutMs: number;
  /** Requests not yet reported to `onThrottle`: the round trip to Redis does not count as waiting. */
  readonly unannounced: Set<Permit>;
}

class SharedThrottle extends PoolThrottle implements RedisThrottle, ConnectionListener {
  isDegraded = false;
  readonly #options: RedisThrottleOptions;
  readonly #connection: RedisConnection;
  readonly #asking = new Map<Queue, Asking>();
  /** Keeps the process alive while requests are queued; the connection never does. */
  readonly #ticker: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  /** The time since which the limits are divided, because not all processes share them. */
  #dividedSince: number | undefined;

  constructor(options: RedisThrottleOptions) {
    super({ limits: options.limits });
    this.#options = options;
    this.#connection = new RedisConnection(options.redis, this.#prefix, this, () => this.now());
    this.#ticker = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#ticker);
    // Keeps the process alive until Redis has replied.
    const alive = setTimeout(() => undefined, 2 * TICK_MS);
    await this.#connection.close();
    clearTimeout(alive);
  }

  connected(): void {
    for (const pool of sharedAmong(this.pools)) pool.registerAll(this.now());
  }

  changed(state: ConnectionState, cause: Error | undefined): void {
    const wasDegraded = this.isDegraded;
    const isDivided = state === 'alone' || state === 'joining';
    this.#dividedSince = isDivided ? (this.#dividedSince ?? this.now()) : undefined;
    this.isDegraded = isDivided && !this.#connection.isClosed;
    for (const pool of sharedAmong(this.pools)) this.#follow(pool);
    this.review(this.pools, this.now());
    if (this.isDegraded) for (const asking of this.#asking.values()) this.#announce(asking);
    for (const asking of this.#asking.values()) asking.at = 0;
    queueMicrotask(this.#askAll);
    if (this.isDegraded !== wasDegraded)
      tell(this.#options.onStatus, () => ({ degraded: this.isDegraded, ...(cause && { cause }) }));
  }

  /**
   * A text that is the same in every process. A token function needs a name, because the other processes do not have
   * the function.
   */
  protected override ownerOf(name: PoolName, key: ThrottleKey): string {
    const { tokenName } = this.#options;
    const owner = super.ownerOf(name, key);
    if (typeof owner === 'number') return `account ${owner}`;
    if (typeof owner !== 'function') return `token ${String(owner)}`;
    if (tokenName !== undefined) return `name ${tokenName}`;
    throw invalid('tokenName', 'is needed by redisThrottle for a client whose token is a function');
  }

  protected override createPool(name: PoolName, limit: RateLimit, key: ThrottleKey): SharedPool {
    // Hashed, so that the name in Redis shows neither the token nor the account.
    const hash = createHash('sha256').update(`email-platform ${this.ownerOf(name, key)}`);
    const id = `${this.#prefix}:${hash.digest('hex').slice(0, 32)}:${name}`;
    const pool = new SharedPool(name, limit, id, this.#connection, this.stopwatch);
    this.#follow(pool);
    return pool;
  }

  /** Requests permits for everything queued in this tick together. */
  protected override queued(permit: Permit, queue: Queue): void {
    const now = this.now();
    const asking = this.#asking.get(queue) ?? {
      pools: permit.pools,
      at: 0,
      timeoutMs: 0,
      unannounced: new Set(),
    };
    this.#asking.set(queue, asking);
    this.#ticker.ref();
    asking.timeoutMs = Math.max(asking.timeoutMs, permit.timeoutMs);
    asking.unannounced.add(permit);
    if (this.isDegraded || permit.pools.some((pool) => pool.left(now) === 0)) this.#announce(asking);
    queueMicrotask(this.#askAll);
  }

  get #prefix(): string {
    const { redis, prefix = 'email-platform' } = this.#options;
    return `${redis.options?.keyPrefix ?? ''}${prefix}`;
  }

  #follow(pool: SharedPool): void {
    const { state, processes = ASSUMED_PROCESSES, heardAt } = this.#connection;
    const since = this.#dividedSince;
    const sharers = this.#options.processes ?? processes;
    pool.follow(state !== 'alone', since === undefined ? since : { sharers, since, heardAt }, this.now());
  }

  #announce({ unannounced }: Asking): void {
    for (const permit of unannounced) {
      unannounced.delete(permit);
      if (permit.state === 'waiting') this.announce(permit, this.isDegraded);
    }
  }

  /** Requests permits for all queues that are due, in the order of their first requests. */
  readonly #askAll = (): void => {
    for (const queue of this.#asking.keys()) if (queue.size === 0) this.#asking.delete(queue);
    if (this.#asking.size === 0) this.#ticker.unref();
    clearTimeout(this.#timer);
    if (!this.#connection.isReady) return;
    const now = this.now();
    const due = [...this.#asking].filter(([, { at }]) => at <= now);
    due.sort(([[one]], [[other]]) => (one?.order ?? 0) - (other?.order ?? 0));
    for (const [queue, asking] of due) void this.#ask(queue, asking);
    const at = Math.min(...[...this.#asking.values()].map((asking) => asking.at));
    if (at < Infinity) this.#timer = setTimeout(this.#askAll, Math.ceil(at - now)).unref();
  };

  async #ask(queue: Queue, asking: Asking): Promise<void> {
    const pools = sharedAmong(asking.pools);
    asking.at = Infinity;
    const againMs = await this.#acquire(pools, queue.size, asking.timeoutMs);
    const now = this.now();
    this.review(pools, now);
    // After unused permits, waits: another request at once would return the same permits.
    const unused = Math.max(0, ...pools.map((pool) => pool.giveBack(now)));
    if (againMs > 0) this.#announce(asking);
    const isDone = againMs === 0 && unused === 0;
    asking.at = isDone ? 0 : now + Math.min(LONGEST_WAIT_MS, Math.max(againMs, SHORTEST_WAIT_MS));
    this.#askAll();
  }

  /**
   * Takes permits in all these pools. Returns the milliseconds until the next request for permits; 0 if there were
   * enough.
   */
  async #acquire(pools: readonly SharedPool[], queued: number, timeoutMs: number): Promise<number> {
    const before = this.now();
    const wanted = Math.min(queued, ...pools.map((pool) => pool.usable(before)));
    const id = `${this.#connection.newId()}:`;
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `${id}${index + 1}`);
    const keys = pools.flatMap(({ key }) => [`${key}:permits`, `${key}:waiting`, `${key}:blocked`]);
    const stands = pools.flatMap((pool) => [pool.limit.requests, pool.own(before), pool.ttlMs(timeoutMs)]);
    const ageMs = this.stopwatch();
    const reply = await this.#connection.acquire(keys, { wanted, queued, id }, stands);
    const now = this.now();
    if (reply === undefined) {
      for (const pool of pools) pool.giveBack(now, ids(wanted));
      return LONGEST_WAIT_MS;
    }
    const [taken, againMs, , , states] = reply;
    // Permits from before this process was stopped may be in use by other processes.
    if (!pools.every((pool) => pool.isValid(ageMs(), timeoutMs))) {
      for (const pool of pools) pool.giveBack(now, ids(taken));
      return SHORTEST_WAIT_MS;
    }
    pools.forEach((pool, index) => {
      const state = states[index];
      if (state) pool.receive(state, ids(taken), ageMs, now);
    });
    if (taken === queued) return 0;
    const usableMs = Math.max(...pools.map((pool) => pool.usableAt(now))) - now;
    return Math.max(1, taken < wanted ? againMs : usableMs);
  }

  #tick(): void {
    this.#askAll();
    this.#connection.tick();
    const now = this.now();
    const pools = sharedAmong(this.pools).filter((pool) => !pool.isIdle(now));
    for (const pool of pools) pool.renew(now, this.#connection.heardAt);
    // Requests for permits read the pools of waiting calls. Of all pools, those go first that were read least recently.
    if (pools.length > PORTION) pools.sort((one, other) => one.reportedAt - other.reportedAt);
    if (this.#connection.isReady) void this.#acquire(pools.slice(0, PORTION), 0, 0);
  }
}

const sharedAmong = (pools: readonly unknown[]) => pools.filter((pool) => pool instanceof SharedPool);
