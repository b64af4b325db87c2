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
import { LimitedPool } from './limited-pool.ts';
import { rankOf } from './line.ts';
import { POOL_NAMES } from './pools.ts';
import { ThrottleKeys } from './throttle-keys.ts';
import { resolveThrottleOptions, type ThrottleOptions } from './throttle-options.ts';

export type { ThrottleOptions } from './throttle-options.ts';

/** Time for a throttle; every part has a default. */
export interface ThrottleRuntime extends Partial<ThrottleClock> {
  /** The wall clock, in milliseconds since 1970: only to show times, never to decide. */
  wallNow?: () => number;
}

/**
 * Keeps requests within the service's limits. Give the same throttle to several clients and they share the limits of
 * a token or an account they have in common; others do not disturb each other.
 *
 * @throws ConfigurationError when an option is unknown or a limit cannot be one.
 * @example
 * const throttle = createThrottle({ limits: { token: { requests: 100, perMs: 10_000 } } });
 * const clients = tokens.map((token) => new EmailPlatform({ token, throttle }));
 */
export function createThrottle(options?: ThrottleOptions): Throttle;
/** @internal Time, for tests. */
export function createThrottle(options: ThrottleOptions | undefined, runtime: ThrottleRuntime): Throttle;
export function createThrottle(options: ThrottleOptions = {}, runtime: ThrottleRuntime = {}): Throttle {
  const { limits, pace } = resolveThrottleOptions(options);
  const clock: ThrottleClock = { ...systemClock, ...runtime };
  const { wallNow = Date.now } = runtime;
  const keys = new ThrottleKeys(limits, pace);
  const dispatcher = new Dispatcher(clock);

  function poolsFor(key: ThrottleKey, account: AccountPoolName | undefined, now: number): LimitedPool[] {
    const own = account && keys.get(account, key, now);
    const token = keys.get('token', key, now);
    if (token === undefined) return own === undefined ? [] : [own];
    return own === undefined ? [token] : [token, own];
  }

  function snapshotOf(pool: LimitedPool, now: number): PoolSnapshot {
    const { blockedUntil } = pool.gate;
    return {
      ...pool.limit,
      used: pool.gate.used(now),
      waiting: pool.waiting,
      ...(blockedUntil > now && { blockedUntil: new Date(Math.ceil(wallNow() + blockedUntil - now)) }),
    };
  }

  return {
    acquire: (request: PermitRequest): Permit | PlaceInLine =>
      dispatcher.acquire(poolsFor(request.key, request.pool, clock.now()), request),

    block(key, name, ms): void {
      const now = clock.now();
      const pool = keys.get(name, key, now);
      if (pool === undefined || !Number.isFinite(ms) || ms <= 0) return;
      pool.gate.block(now + ms);
      dispatcher.review([pool], now);
    },

    snapshot(key): ThrottleSnapshot {
      const now = clock.now();
      const snapshot: Partial<Record<PoolName, PoolSnapshot>> = {};
      for (const name of POOL_NAMES) {
        const limit = limits[name];
        if (limit === undefined) continue;
        const pool = keys.find(name, key) ?? new LimitedPool(name, limit, pace);
        snapshot[name] = snapshotOf(pool, now);
      }
      return snapshot;
    },

    estimate(count, name, key): number {
      const now = clock.now();
      if (!(count > 0)) return 0;
      const pools = poolsFor(key, name === 'token' ? undefined : name, now);
      return forecast(pools, Math.ceil(count), rankOf('normal', false), now)?.ms ?? 0;
    },
  };
}

const systemClock: ThrottleClock = {
  now: () => performance.now(),
  setTimer(ms, fire) {
    // Timers take whole milliseconds and would round down, to fire before it is time.
    const timer = setTimeout(fire, Math.ceil(ms));
    return () => clearTimeout(timer);
  },
};
