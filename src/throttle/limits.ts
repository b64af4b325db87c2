import type { PoolName, RateLimit, ThrottleLimits } from '../core/limits.ts';
import {
  invalid,
  mustBe,
  objectOf,
  oneOf,
  positiveRule,
  refuse,
  tried,
  type Rule,
  type Rules,
} from '../core/rules.ts';
import type { Pace } from './permit-window.ts';

/** The limits the service publishes; that of the sandbox is the plan's own. */
export const PUBLISHED_LIMITS: Readonly<Record<PoolName, RateLimit>> = {
  token: { requests: 150, perMs: 10_000 },
  contacts: { requests: 200, perMs: 60_000 },
  stats: { requests: 10, perMs: 60_000 },
  suppressions: { requests: 10, perMs: 60_000 },
  emailLogsList: { requests: 60, perMs: 60_000 },
  emailLogsGet: { requests: 1000, perMs: 60_000 },
  sandbox: { requests: Number.MAX_SAFE_INTEGER, perMs: 10_000 },
};

/** Every pool, `token` first. */
export const POOL_NAMES = Object.keys(PUBLISHED_LIMITS) as readonly PoolName[];

/** The limits in force; pools that are switched off are absent. */
export type LimitTable = Readonly<Partial<Record<PoolName, RateLimit>>>;

/** How a throttle limits requests. */
export interface ThrottleOptions {
  /** Limits to use instead of the published ones; `false` switches a pool off. */
  readonly limits?: ThrottleLimits | undefined;
  /**
   * `'burst'` sends a call as soon as there is room, which gives the shortest response times; `'even'` spreads requests
   * over the window, as the service recommends for high volumes.
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

/** Checks limits. */
export const limitsRule = objectOf<ThrottleLimits>(
  Object.fromEntries(POOL_NAMES.map((name) => [name, limitRule])) as Rules<ThrottleLimits>,
);

const optionsRule = objectOf<ThrottleOptions>({ limits: limitsRule, pace: oneOf(['burst', 'even']) });

/** The options with defaults filled in; throws if any is invalid. */
export function resolveThrottleOptions(options: ThrottleOptions): { limits: LimitTable; pace: Pace } {
  // `client.limits` only reports on a throttle.
  if (tried(() => 'snapshot' in Object(options), false))
    throw invalid('throttle', "must come from createThrottle(); use withOptions() to share a client's own");
  refuse('throttle', optionsRule(options));
  return { limits: resolveLimits(options.limits), pace: options.pace ?? 'burst' };
}

/** The limits in force: those given, otherwise those published. */
export function resolveLimits(limits: ThrottleLimits = {}): LimitTable {
  const table: Partial<Record<PoolName, RateLimit>> = {};
  for (const name of POOL_NAMES) {
    const limit = limits[name] ?? PUBLISHED_LIMITS[name];
    // A copy, so that later changes by the caller have no effect.
    if (limit !== false) table[name] = { ...limit };
  }
  return table;
}
