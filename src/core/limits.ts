/** A rate limit pool of the service: `token` counts every request of an API token, the others are per account. */
export type PoolName = 'token' | AccountPoolName;

/**
 * A rate limit pool of an account; its requests also count against the `token` pool. The limit of `sandbox`, sending to
 * the sandbox, depends on the plan and is not published: its pool only closes after a 429.
 */
export type AccountPoolName =
  | 'contacts'
  | 'stats'
  | 'suppressions'
  | 'emailLogsList'
  | 'emailLogsGet'
  | 'templatesList'
  | 'templatesCreate'
  | 'subAccountsDelete'
  | 'sandbox';

/** A rate limit: at most `requests` in any `perMs` milliseconds. */
export interface RateLimit {
  /** Requests allowed in one window; a positive integer. */
  readonly requests: number;
  /** Length of the window in milliseconds. */
  readonly perMs: number;
}

/** Rate limits by pool. A pool left out keeps its published limit; `false` switches a pool off. */
export type ThrottleLimits = Readonly<Partial<Record<PoolName, RateLimit | false>>>;

/** When the service's windows begin: at multiples of their length on its clock, or at unknown times. */
export type RateLimitWindows = 'unknown' | 'aligned';

/** Priority of a call in the throttle's queue: calls of higher priority go first. */
export type Priority = 'high' | 'normal' | 'low';

/** The current state of one pool in the throttle. */
export interface PoolSnapshot {
  /** Requests allowed in one window; absent for `sandbox`, whose limit depends on the plan, unless you set it. */
  readonly requests?: number;
  /** Length of the window in milliseconds. */
  readonly perMs: number;
  /** Permits in use: requests in flight, and those that the service may still count. */
  readonly used: number;
  /** Queued calls that need this pool. */
  readonly waiting: number;
  /** When the pool reopens after a 429; absent while it is open. */
  readonly blockedUntil?: Date;
  /** With `throttle: { windows: 'aligned' }` only: `'unknown'` for an hour after a 429. */
  readonly windows?: RateLimitWindows;
}

/** The current state of every pool that is switched on, by name. */
export type ThrottleSnapshot = Readonly<Partial<Record<PoolName, PoolSnapshot>>>;

/** The reason why a call is queued, and its expected wait. */
export interface ThrottleWait {
  /** The pool with the longest wait. */
  readonly pool: PoolName;
  /** Calls queued for this pool, including this one. */
  readonly waiting: number;
  /** Estimated milliseconds until this call is sent. */
  readonly expectedWaitMs: number;
  /** True while a shared throttle runs without its store. */
  readonly degraded?: boolean;
}
