import { invalid, mustBe, objectOf, oneOf, positiveRule, refuse, type Rule } from '../core/rules.ts';
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

const limitObject = objectOf<RateLimit>(
  {
    requests: positiveRule,
    perMs: mustBe('a positive number of milliseconds', (ms) => Number.isFinite(ms) && (ms as number) > 0),
  },
  ['requests', 'perMs'],
  { what: 'false, which switches the pool off, or { requests, perMs }' },
);

const limitRule: Rule = (limit) => (limit === false ? undefined : limitObject(limit));

/** What is wrong with limits. */
export const limitsRule = objectOf<ThrottleLimits>({
  token: limitRule,
  contacts: limitRule,
  stats: limitRule,
  suppressions: limitRule,
  emailLogsList: limitRule,
  emailLogsGet: limitRule,
});

const optionsRule = objectOf<ThrottleOptions>({ limits: limitsRule, pace: oneOf(['burst', 'even']) });

/** The options with defaults filled in. Refuses what it does not understand. */
export function resolveThrottleOptions(options: ThrottleOptions): { limits: LimitTable; pace: Pace } {
  // `client.throttle` tells of a throttle, and is none.
  if ('snapshot' in Object(options))
    throw invalid('throttle', "must come from createThrottle(); withOptions() shares a client's own");
  refuse('throttle', optionsRule(options));
  return { limits: resolveLimits(options.limits), pace: options.pace ?? 'burst' };
}

/** The limits in force: those given, else as published. */
export function resolveLimits(limits: ThrottleLimits = {}): LimitTable {
  const table: Partial<Record<PoolName, RateLimit>> = {};
  for (const name of POOL_NAMES) {
    const limit = limits[name] ?? PUBLISHED_LIMITS[name];
    // A copy: what the caller changes later changes nothing.
    if (limit !== false) table[name] = { ...limit };
  }
  return table;
}
