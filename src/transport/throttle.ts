import type { Throttle } from '../core/throttle.ts';
import type { ThrottleClock } from './dispatcher.ts';
import { Gate } from './gate.ts';
import { LimitedPool } from './limited-pool.ts';
import { PoolThrottle } from './pool-throttle.ts';
import { systemRuntime } from './runtime.ts';
import { resolveThrottleOptions, type ThrottleOptions } from './throttle-options.ts';

/** Time for a throttle; every part has a default. */
export interface ThrottleRuntime extends Partial<ThrottleClock> {
  /** The wall clock, in milliseconds since 1970: only to show times, never to decide. */
  wallNow?: () => number;
}

/**
 * Keeps requests within the service's limits. Give the same throttle to several clients and they share the limits of
 * a token or an account they have in common; others do not disturb each other.
 *
 * @throws {@link ConfigurationError} when an option is unknown or a limit cannot be one
 * @example
 * ```ts
 * const throttle = createThrottle({ limits: { token: { requests: 100, perMs: 10_000 } } });
 * const clients = tokens.map((token) => new EmailPlatform({ token, throttle }));
 * ```
 */
export function createThrottle(options?: ThrottleOptions): Throttle;
/** @internal Time, for tests. */
export function createThrottle(options: ThrottleOptions | undefined, runtime: ThrottleRuntime): Throttle;
export function createThrottle(options: ThrottleOptions = {}, runtime: ThrottleRuntime = {}): Throttle {
  const { limits, pace } = resolveThrottleOptions(options);
  return new PoolThrottle({
    limits,
    clock: { ...systemRuntime, ...runtime },
    wallNow: runtime.wallNow ?? Date.now,
    createPool: (name, limit) => new LimitedPool(name, limit, new Gate(limit, pace)),
  });
}
