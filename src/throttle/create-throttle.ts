import { systemRuntime, type Runtime } from '../core/runtime.ts';
import { resolveThrottleOptions, type ThrottleOptions } from './limits.ts';
import { PoolThrottle } from './pool-throttle.ts';
import type { Throttle } from './throttle.ts';

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
export function createThrottle(options: ThrottleOptions | undefined, runtime: Partial<Runtime>): Throttle;
export function createThrottle(options: ThrottleOptions = {}, runtime: Partial<Runtime> = {}): Throttle {
  const { limits, pace } = resolveThrottleOptions(options);
  return new PoolThrottle(limits, pace, { ...systemRuntime, ...runtime });
}
