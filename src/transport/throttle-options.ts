import { invalid, refuseUnknown } from '../core/option-checks.ts';
import type { PoolName, RateLimit, ThrottleLimits } from '../core/throttle.ts';
import { POOL_NAMES, PUBLISHED_LIMITS } from './pools.ts';
import type { Pace } from './rate-window.ts';
import type { LimitTable } from './throttle-keys.ts';

/** How a throttle limits requests. */
export interface ThrottleOptions {
  /** Limits to use instead of the published ones; `false` switches a pool off. */
  readonly limits?: ThrottleLimits | undefined;
  /**
   * `'burst'` sends as long as there is room, which answers people first; `'even'` spreads requests over the window,
   * which the service recommends to those who send many.
   * @defaultValue 'burst'
   */
  readonly pace?: Pace | undefined;
}

/** The options with defaults filled in. Refuses what it does not understand. */
export function resolveThrottleOptions(options: ThrottleOptions): { limits: LimitTable; pace: Pace } {
  // `client.throttle` tells of a throttle, and is none.
  if ('snapshot' in Object(options))
    throw invalid('throttle', 'must come from createThrottle(); withOptions() shares a client’s own');
  refuseUnknown(options, ['limits', 'pace'], 'throttle');
  const { limits, pace = 'burst' } = options;
  const paces: readonly unknown[] = ['burst', 'even'];
  if (!paces.includes(pace)) throw invalid('throttle.pace', "must be 'burst' or 'even'");
  return { limits: resolveLimits(limits, 'throttle.limits'), pace };
}

/** The limits in force, those left out as published. `option` is what a refusal names. */
export function resolveLimits(limits: ThrottleLimits = {}, option: string): LimitTable {
  refuseUnknown(limits, POOL_NAMES, option);
  const table: Partial<Record<PoolName, RateLimit>> = {};
  for (const name of POOL_NAMES) {
    const limit = limits[name] ?? PUBLISHED_LIMITS[name];
    if (limit !== false) table[name] = checkedLimit(limit, `${option}.${name}`);
  }
  return table;
}

function checkedLimit(limit: RateLimit, option: string): RateLimit {
  refuseUnknown(limit, ['requests', 'perMs'], option);
  const { requests, perMs } = limit;
  if (!Number.isSafeInteger(requests) || requests < 1) {
    throw invalid(`${option}.requests`, 'must be a positive integer; false switches the pool off');
  }
  if (!Number.isFinite(perMs) || perMs <= 0) {
    throw invalid(`${option}.perMs`, 'must be a positive number of milliseconds');
  }
  return { requests, perMs };
}
