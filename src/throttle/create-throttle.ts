import { checkedOptions } from '../core/rules.ts';
import type { Runtime } from '../core/runtime.ts';
import { throttleRule, type ThrottleOptions } from './limits.ts';
import { PoolThrottle } from './pool-throttle.ts';
import type { Throttle } from './throttle.ts';

/**
 * Creates a throttle, which keeps requests within the service's limits. Clients with the same throttle share the limits
 * of a common token or account. Each token and each account has its own limits.
 *
 * @throws {@link ConfigurationError} if an option is unknown or a limit is invalid
 * @example
 * ```ts
 * const throttle = createThrottle({ limits: { token: { requests: 100, perMs: 10_000 } } });
 * const clients = tokens.map((token) => new EmailPlatform({ token, throttle }));
 * ```
 */
export function createThrottle(options?: ThrottleOptions): Throttle;
/** @internal Tests replace the clocks and timers; `epoch` changes when the service restarts. */
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
  return new PoolThrottle(checkedOptions(throttleRule, options, 'throttle'), runtime, epoch);
}
