import type { Throttle } from '../core/throttle.ts';
import type { ThrottleClock } from './dispatcher.ts';
import { Gate } from './gate.ts';
import { LimitedPool } from './limited-pool.ts';
import { PoolThrottle } from './pool-throttle.ts';
import { systemRuntime } from '../core/runtime.ts';
import { resolveThrottleOptions, type ThrottleOptions } from './options.ts';

/** The clocks and timers of a throttle; each has a default. */
export interface ThrottleRuntime extends Partial<ThrottleClock> {
  /** The wall clock, in milliseconds since 1970: used only to report times, never to decide. */
  wallNow?: () => number;
}

/**
 * Creates a throttle, which keeps requests within the service's limits. Clients that are given the same throttle share
 * the limits of a token or an account they have in common; limits of different tokens and accounts are kept apart.
 *
 * @throws {@link ConfigurationError} if an option is unknown or a limit is invalid
 * @example
 * ```ts
 * const throttle = createThrottle({ limits: { token: { requests: 100, perMs: 10_000 } } });
 * const clients = tokens.map((token) => new EmailPlatform({ token, throttle }));
 * ```
 */
export function createThrottle(options?: ThrottleOptions): Throttle;
/** @internal With the clocks and timers replaced, for tests. */
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
