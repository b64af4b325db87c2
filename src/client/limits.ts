import type { PoolName, ThrottleSnapshot } from '../core/limits.ts';
import { countRule, oneOf, refuse } from '../core/rules.ts';
import { POOL_NAMES } from '../throttle/limits.ts';
import type { ClientConfig } from './resolve-options.ts';

/** A client's rate limits: the pools of its token and account in its throttle. */
export interface ClientLimits {
  /** The current state of every pool that is switched on, by name; empty if the throttle is off. */
  snapshot(): ThrottleSnapshot;
  /**
   * Estimated milliseconds until `count` further requests against `pool` (`'token'` by default) would all have been
   * sent; 0 if the throttle is off.
   */
  estimate(count: number, pool?: PoolName): number;
}

const poolRule = oneOf(POOL_NAMES);

export const limitsOf = ({ throttle, key }: ClientConfig): ClientLimits => ({
  snapshot: () => throttle?.snapshot(key) ?? {},
  estimate: (count, pool = 'token') => {
    refuse('limits.estimate.count', countRule(count));
    refuse('limits.estimate.pool', poolRule(pool));
    return throttle?.estimate(count, pool, key) ?? 0;
  },
});
