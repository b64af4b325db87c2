import type {
  AccountPoolName,
  Permit,
  PermitRequest,
  PlaceInLine,
  PoolName,
  PoolSnapshot,
  Throttle,
  ThrottleKey,
  ThrottleSnapshot,
} from '../core/throttle.ts';
import { Dispatcher, type ThrottleClock } from './dispatcher.ts';
import { forecast } from './forecast.ts';
import type { LimitedPool } from './limited-pool.ts';
import { rankOf } from './line.ts';
import { POOL_NAMES } from './pools.ts';
import { ThrottleKeys, type CreatePool, type LimitTable } from './throttle-keys.ts';

/** What a throttle is made of. */
export interface ThrottleParts {
  readonly limits: LimitTable;
  readonly clock: ThrottleClock;
  /** The wall clock, in milliseconds since 1970: used only to report times, never to decide. */
  readonly wallNow: () => number;
  readonly createPool: CreatePool;
}

/**
 * A throttle over the pools that `createPool` makes: their gates decide whether a call may go, the queues which one
 * goes first.
 */
export class PoolThrottle implements Throttle {
  /** Grants the permits, and queues the calls. */
  readonly dispatcher: Dispatcher;
  readonly #limits: LimitTable;
  readonly #clock: ThrottleClock;
  readonly #wallNow: () => number;
  readonly #keys: ThrottleKeys;

  constructor({ limits, clock, wallNow, createPool }: ThrottleParts) {
    this.#limits = limits;
    this.#clock = clock;
    this.#wallNow = wallNow;
    this.#keys = new ThrottleKeys(limits, createPool);
    this.dispatcher = new Dispatcher(clock);
  }

  acquire(request: PermitRequest): Permit | PlaceInLine {
    return this.dispatcher.acquire(this.poolsFor(request.key, request.pool), request);
  }

  block(key: ThrottleKey, name: PoolName, ms: number): void {
    const now = this.#clock.now();
    const pool = this.pool(name, key);
    if (pool === undefined || !Number.isFinite(ms) || ms <= 0) return;
    pool.gate.block(now + ms);
    this.dispatcher.review([pool], now);
  }

  snapshot(key: ThrottleKey): ThrottleSnapshot {
    const now = this.#clock.now();
    const snapshot: Partial<Record<PoolName, PoolSnapshot>> = {};
    for (const name of POOL_NAMES) {
      const limit = this.#limits[name];
      if (limit === undefined) continue;
      const pool = this.#keys.find(name, key);
      snapshot[name] = pool === undefined ? { ...limit, used: 0, waiting: 0 } : this.#snapshotOf(pool, now);
    }
    return snapshot;
  }

  estimate(count: number, name: PoolName, key: ThrottleKey): number {
    if (!(count > 0)) return 0;
    const pools = this.poolsFor(key, name === 'token' ? undefined : name);
    return forecast(pools, Math.ceil(count), rankOf('normal', false), this.#clock.now())?.ms ?? 0;
  }

  /** A pool, created if need be; undefined if it is switched off. */
  pool(name: PoolName, key: ThrottleKey): LimitedPool | undefined {
    return this.#keys.get(name, key, this.#clock.now());
  }

  /** The pools a request counts against, the token's first. */
  poolsFor(key: ThrottleKey, account: AccountPoolName | undefined): LimitedPool[] {
    const own = account && this.pool(account, key);
    const token = this.pool('token', key);
    if (token === undefined) return own === undefined ? [] : [own];
    return own === undefined ? [token] : [token, own];
  }

  #snapshotOf(pool: LimitedPool, now: number): PoolSnapshot {
    const { blockedUntil } = pool.gate;
    return {
      ...pool.limit,
      used: pool.gate.used(now),
      waiting: pool.waiting,
      ...(blockedUntil > now && { blockedUntil: new Date(Math.ceil(this.#wallNow() + blockedUntil - now)) }),
    };
  }
}
