/**
 * How a permit travels:
 *
 * 1. A call asks the throttle and goes in line, as in any process by itself (`PoolThrottle`, `Dispatcher`); only the
 *    gates of its pools differ. Every pool is a `SharedPool`: the line and the gate here, the leases in Redis.
 * 2. The pool asks its `LeaseSource` for a lease: a job of Bottleneck's that runs, in Redis, as long as the permit is
 *    out, and of which there are never more than the limit. Whoever of all processes has fewest goes first.
 * 3. The lease arrives at the `SharedGate`, and the first in line goes with it. From then on it is a `CountedRequest`: it counts
 *    until one window after its answer, by the same rules as in a process by itself.
 * 4. When it is back, the lease serves the next in line here, within this process's equal part of the limit; else it
 *    ends, and Redis gives it to another process. Once a second the leases are extended, and what Redis takes for ours
 *    and is not, because an answer was lost, ends; the leases of a process that died expire.
 * 5. When Redis cannot be reached (`RedisLink`), calls go on without leases, within the `LocalShare`. When it is back,
 *    what is out gets its leases first.
 */
import type {
  Permit,
  PermitRequest,
  PlaceInLine,
  PoolName,
  Throttle,
  ThrottleKey,
} from '../core/throttle.ts';
import { tell } from '../core/observers.ts';
import { isPermit } from '../core/throttle.ts';
import { forecast } from '../throttle/forecast.ts';
import type { LimitedPool } from '../throttle/limited-pool.ts';
import { rankOf } from '../throttle/line.ts';
import { PoolThrottle } from '../throttle/pool-throttle.ts';
import { systemRuntime } from '../core/runtime.ts';
import { beforeExit } from './before-exit.ts';
import { CallInLine, LateAnnouncements, type LineKeeper } from './call-in-line.ts';
import { RedisLink, type LinkListener, type LinkState } from './link.ts';
import { resolveRedisOptions, type RedisThrottleOptions, type ResolvedRedisOptions } from './options.ts';
import { checkToken, namedKey, poolId } from './pool-id.ts';
import { SharedPool, type SharedPoolHost } from './shared-pool.ts';

/** A throttle whose limits any number of processes share through Redis. */
export interface RedisThrottle extends Throttle {
  /** Whether it keeps to this process's own share of the limits for now, because Redis cannot be asked. */
  readonly isDegraded: boolean;
  /**
   * Hands the permits that are out over to the other processes, which get them when they are due, and disconnects from
   * Redis; your own client is not touched. A process that comes to its end by itself does so unasked, and is not kept
   * from it; call this before `process.exit()`, or where a signal ends the process. Calls made after that go on under the
   * local share.
   */
  close(): Promise<void>;
}

/**
 * Shares the service's limits among any number of processes, through Redis. Give it to a client in place of its own
 * throttle; like `createThrottle()` it keeps tokens and accounts apart, and may serve many clients.
 *
 * Needs the packages `bottleneck` 2.19 and `ioredis` 5, and Redis 5 or later. While Redis cannot be reached, calls go
 * on under an equal share of the limits for each process; waiting calls are told so by `degraded` in `onThrottle`.
 *
 * @throws ConfigurationError when an option is unknown or wrong. Without `bottleneck` installed every call fails with it.
 * @example
 * const redis = new Redis(process.env.REDIS_URL);
 * const throttle = redisThrottle({ redis });
 * const client = new EmailPlatform({ token, throttle });
 */
export function redisThrottle(options: RedisThrottleOptions): RedisThrottle {
  return new SharedThrottle(resolveRedisOptions(options));
}

const TICK_MS = 1_000;
const LONGEST_CLOSE_MS = 10_000;
/** Processes assumed when nobody said, and Redis never did. */
const ASSUMED_PROCESSES = 10;
/** When Redis has lost its data, processes come back to it one by one; after this time, and one window, all have. */
const REUNION_MS = 2_000;
const LONGEST_SETTLING_MS = 10_000 + REUNION_MS;
const SHORTEST_KEY_TTL_MS = 600_000;

class SharedThrottle implements RedisThrottle, LinkListener {
  readonly #options: ResolvedRedisOptions;
  /** Every pool that is in use, or open in Redis. */
  readonly #active = new Set<SharedPool>();
  readonly #shared = new WeakMap<LimitedPool, SharedPool>();
  readonly #throttle: PoolThrottle;
  readonly #link: RedisLink;
  readonly #host: SharedPoolHost;
  readonly #late = new LateAnnouncements();
  readonly #inLine = new Set<CallInLine>();
  /** Keeps the process alive while calls are in line; the connections never do. */
  readonly #ticker: NodeJS.Timeout;
  readonly #stayed: () => void;
  #isDegraded = false;
  #closing: Promise<void> | undefined;

  constructor(options: ResolvedRedisOptions) {
    this.#options = options;
    const longestMs = Math.max(0, ...Object.values(options.limits).map(({ perMs }) => perMs));
    const keyTtlMs = Math.max(SHORTEST_KEY_TTL_MS, 10 * longestMs);
    this.#throttle = new PoolThrottle({
      limits: options.limits,
      clock: systemRuntime,
      wallNow: Date.now,
      createPool: (name, limit, key) => {
        const id = poolId(options.prefix, name, key, options.tokenName);
        const shared = new SharedPool(name, limit, id, this.#host);
        this.#shared.set(shared.pool, shared);
        return shared.pool;
      },
    });
    this.#link = new RedisLink({
      redis: options.redis,
      prefix: options.prefix,
      settleMs: Math.min(longestMs + REUNION_MS, LONGEST_SETTLING_MS),
      keyTtlMs,
      listener: this,
    });
    this.#host = {
      link: this.#link,
      keyTtlMs,
      now: () => systemRuntime.now(),
      processes: () => options.processes ?? this.#link.processes ?? ASSUMED_PROCESSES,
      review: (pool) => this.#throttle.dispatcher.review([pool], systemRuntime.now()),
      pump: (pool) => this.#pump(pool),
    };
    this.#ticker = setInterval(() => this.#tick(), TICK_MS).unref();
    this.#stayed = beforeExit(() => void this.close());
  }

  get isDegraded(): boolean {
    return this.#isDegraded;
  }

  acquire(request: PermitRequest): Permit | PlaceInLine {
    const { pool, timeoutMs } = request;
    if (this.#link.broken !== undefined) throw this.#link.broken();
    checkToken(request.key, this.#options.tokenName);
    const key = namedKey(request.key);
    const pools = this.#throttle.poolsFor(key, pool);
    for (const each of pools) this.#use(each)?.expectCall(timeoutMs);
    const call = new CallInLine(request, this.#lineKeeper(key, pools, request));
    const answer = this.#throttle.acquire(call);
    if (isPermit(answer)) return answer;
    this.#inLine.add(call);
    this.#ticker.ref();
    for (const each of pools) this.#use(each)?.pump();
    return call.at(answer);
  }

  block(owner: ThrottleKey, name: PoolName, ms: number): void {
    const key = namedKey(owner);
    this.#throttle.block(key, name, ms);
    const pool = this.#throttle.pool(name, key);
    if (pool !== undefined && Number.isFinite(ms) && ms > 0) this.#use(pool)?.shareBlock(ms);
  }

  snapshot(key: ThrottleKey): ReturnType<Throttle['snapshot']> {
    return this.#throttle.snapshot(namedKey(key));
  }

  estimate(count: number, pool: PoolName, key: ThrottleKey): number {
    return this.#throttle.estimate(count, pool, namedKey(key));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  linkChanged(state: LinkState, cause: Error | undefined): void {
    const { broken } = this.#link;
    if (broken !== undefined) {
      for (const call of this.#inLine) call.refused(broken());
      return;
    }
    for (const pool of this.#active) pool.linkChanged(state);
    const isDegraded = state !== 'up' && state !== 'connecting';
    if (isDegraded === this.#isDegraded || state === 'closed') return;
    this.#isDegraded = isDegraded;
    tell(this.#options.onStatus, () => ({ degraded: isDegraded, ...(cause && { cause }) }));
  }

  dataLost(): void {
    for (const pool of this.#active) pool.dataLost();
  }

  async #close(): Promise<void> {
    clearInterval(this.#ticker);
    this.#stayed();
    this.#late.stop();
    // Nothing else waits for the answers.
    const alive = setTimeout(() => undefined, LONGEST_CLOSE_MS);
    const pools = [...this.#active];
    if (this.#link.isConnected) {
      const told = pools.map((pool) => pool.handOver().catch((error: unknown) => this.#link.suspect(error)));
      await Promise.all(told);
    }
    await this.#link.close();
    for (const pool of pools) pool.closed();
    clearTimeout(alive);
  }

  /** This pool and those its calls need beside it: what the one has, the others may ask for. */
  #pump(pool: LimitedPool): void {
    const pools = new Set([pool]);
    for (const lane of pool.lanes) for (const each of lane.pools) pools.add(each);
    for (const each of pools) this.#use(each)?.pump();
  }

  /** A pool that nobody used for a while has heard nothing since. */
  #use(pool: LimitedPool): SharedPool | undefined {
    const shared = this.#shared.get(pool);
    if (shared === undefined || this.#active.has(shared)) return shared;
    this.#active.add(shared);
    shared.linkChanged(this.#link.state);
    return shared;
  }

  #tick(): void {
    this.#link.check();
    for (const pool of this.#active) {
      pool.tick();
      if (pool.isIdle) this.#active.delete(pool);
    }
  }

  #lineKeeper(
    key: ThrottleKey,
    pools: readonly LimitedPool[],
    { priority, isRetry }: PermitRequest,
  ): LineKeeper {
    return {
      key,
      late: this.#late,
      isDegraded: () => pools.some((pool) => this.#shared.get(pool)?.gate.mode === 'alone'),
      look: () => {
        const wait = forecast(pools, 0, rankOf(priority, isRetry), systemRuntime.now());
        return wait && { pool: wait.pool.name, waiting: wait.pool.waiting, expectedWaitMs: wait.ms };
      },
      onEnd: (call) => {
        this.#inLine.delete(call);
        if (this.#inLine.size === 0) this.#ticker.unref();
      },
    };
  }
}
