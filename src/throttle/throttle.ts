import type { PoolName, RateLimit, ThrottleSnapshot } from '../core/limits.ts';
import type { Permit, PermitRequest, ThrottleKey } from './permit.ts';

/** Identifies a throttle, from any copy of the package. */
export const THROTTLE = 'EmailPlatformThrottle';

/** The changes of a throttle after a refusal. */
export interface Closing {
  /** Whether the pool is closed now. */
  readonly isClosed: boolean;
  /** Whether the pool relied on aligned windows until now, and no longer does. */
  readonly givesUpWindows: boolean;
}

/**
 * Keeps the requests of every client with this throttle within the rate limits; each token and each account has its own
 * counts. Created by `createThrottle()`, by `redisThrottle()` to share limits between processes, or by
 * `bottleneckThrottle()` over your own limiters. It has no public methods.
 */
export interface Throttle {
  /** Identifies this as a throttle. */
  readonly [Symbol.toStringTag]: typeof THROTTLE;
  /**
   * Takes a permit in every pool the request counts against, all or none: at once if all have one free, otherwise after
   * a wait in a queue.
   *
   * @internal
   */
  acquire(request: PermitRequest): Permit;
  /**
   * In a runtime that isolates requests, where alarms end with their request, each call looks by itself: keeps a waiting
   * permit alive and grants the permits that are free now. Returns the milliseconds until a permit may be free, at the
   * earliest.
   *
   * @internal
   */
  look(permit: Permit): number;
  /**
   * Closes a pool of this client for `ms` milliseconds, because the service refused a request. Call it before the
   * refused request's permit ends, because that may let the next call go.
   *
   * @internal
   */
  block(key: ThrottleKey, pool: PoolName, ms: number): Closing;
  /**
   * The limit of a pool; undefined if it is switched off.
   *
   * @internal
   */
  limitOf(pool: PoolName): RateLimit | undefined;
  /**
   * The current state of one client's pools.
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
