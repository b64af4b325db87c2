import type { PoolName, RateLimit, ThrottleSnapshot } from '../core/limits.ts';
import type { Permit, PermitRequest, ThrottleKey } from './permit.ts';

/** Identifies a throttle, from any copy of the package. */
export const THROTTLE = 'EmailPlatformThrottle';

/**
 * Keeps requests within the rate limits, for every client that is given this object; limits are counted separately for
 * each token and account. Created by `createThrottle()`, by `redisThrottle()` to share limits between processes, or by
 * `bottleneckThrottle()` over limiters of your own. There is nothing to call on it.
 */
export interface Throttle {
  /** Identifies this as a throttle. */
  readonly [Symbol.toStringTag]: typeof THROTTLE;
  /**
   * Takes a permit in every pool the request counts against, all or none: at once when there is room, otherwise it
   * waits in a queue.
   *
   * @internal
   */
  acquire(request: PermitRequest): Permit;
  /**
   * Where requests are isolated: says that a permit's request is still there, and grants what there is room for by now.
   * Returns in how many milliseconds time may make more room, at the earliest.
   *
   * @internal
   */
  look(permit: Permit): number;
  /**
   * Closes a pool of this client for `ms` milliseconds, because the service refused a request of it. Has to be called
   * before the refused request's permit ends, which may let the next call go. Returns whether the pool is closed now.
   *
   * @internal
   */
  block(key: ThrottleKey, pool: PoolName, ms: number): boolean;
  /**
   * The limit of a pool; undefined if it is switched off.
   *
   * @internal
   */
  limitOf(pool: PoolName): RateLimit | undefined;
  /**
   * The current state of the pools, as one client sees them.
   *
   * @internal
   */
  snapshot(key: ThrottleKey): ThrottleSnapshot;
  /**
   * Estimated milliseconds until `count` further requests of this client would all have been sent.
   *
   * @internal
   */
  estimate(count: number, pool: PoolName, key: ThrottleKey): number;
}
