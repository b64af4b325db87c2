import { refuse } from '../core/rules.ts';
import type { Runtime } from '../core/runtime.ts';
import { throttleRule, type ThrottleOptions } from './limits.ts';
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
/** @internal With the clocks and timers replaced, for tests; `epoch` changes when the service begins anew. */
export function createThrottle(
  options: ThrottleOptions | undefined,
  runtime: Partial<Runtime>,
  epoch?: () => unknown,
): Throttle;
export function createThrottle(
  options: ThrottleOptions = {},
  runtime?: Partial<Runtime>,
  epoch?: () => unknown,
): Throttle {
  refuse('throttle', throttleRule(options));
  return new PoolThrottle(options, runtime, epoch);
}
