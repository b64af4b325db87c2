import type { PoolName, RateLimit, ThrottleLimits, RateLimitWindows } from '../core/limits.ts';
import { durationRule, objectOf, oneOf, positiveRule, type Rules } from '../core/rules.ts';
import type { Pace } from './permit-window.ts';

/** The limits the service publishes. The sandbox's depends on the plan: here it has none, and a snapshot shows none. */
export const PUBLISHED_LIMITS: Readonly<Record<PoolName, RateLimit>> = {
  token: { requests: 150, perMs: 10_000 },
  contacts: { requests: 200, perMs: 60_000 },
  stats: { requests: 10, perMs: 60_000 },
  suppressions: { requests: 10, perMs: 60_000 },
  emailLogsList: { requests: 60, perMs: 60_000 },
  emailLogsGet: { requests: 1000, perMs: 60_000 },
  templatesList: { requests: 150, perMs: 60_000 },
  templatesCreate: { requests: 150, perMs: 60_000 },
  subAccountsDelete: { requests: 10, perMs: 60_000 },
  sandbox: { requests: Number.MAX_SAFE_INTEGER, perMs: 10_000 },
};

/** Every pool, `token` first. */
export const POOL_NAMES = Object.keys(PUBLISHED_LIMITS) as readonly PoolName[];

/** How a throttle limits requests. */
export interface ThrottleOptions {
  /** Limits to use instead of the published ones; `false` switches a pool off. */
  readonly limits?: ThrottleLimits | undefined;
  /**
   * `'burst'` sends a call as soon as a permit is free, which gives the shortest response times; `'even'` spreads
   * requests over the window, as the service recommends for high volumes.
   * @defaultValue 'burst'
   */
  readonly pace?: Pace | undefined;
  /**
   * When the service's windows begin. `'unknown'`: a permit returns one window after its response, whatever the windows
   * are. `'aligned'`: the windows begin at multiples of their length on the service's clock, as recordings show; a
   * permit then returns when the window that counted its request is over, by the `Date` of the responses. After a 429,
   * the windows of its pool count as unknown for an hour.
   * @defaultValue 'unknown'
   */
  readonly windows?: RateLimitWindows | undefined;
}

/** Checks a limit. */
export const limitRule = objectOf<RateLimit>({ requests: positiveRule, perMs: durationRule }, [
  'requests',
  'perMs',
]);

/** Checks limits. */
export const limitsRule = objectOf<ThrottleLimits>(
  Object.fromEntries(
    POOL_NAMES.map((name) => [name, (limit: unknown) => (limit === false ? undefined : limitRule(limit))]),
  ) as Rules<ThrottleLimits>,
);

/** Checks the options of a throttle. */
export const throttleRule = objectOf<ThrottleOptions>({
  limits: limitsRule,
  pace: oneOf(['burst', 'even']),
  windows: oneOf(['unknown', 'aligned']),
});
