/**
 * A rate limit pool the service publishes: `token` counts every request of an API token, the others are per account.
 */
export type PoolName = 'token' | AccountPoolName;

/** A rate limit pool the service keeps per account; its requests count against the `token` pool as well. */
export type AccountPoolName = 'contacts' | 'stats' | 'suppressions' | 'emailLogsList' | 'emailLogsGet';

/** A rate limit: at most `requests` in any `perMs` milliseconds. */
export interface RateLimit {
  /** Requests allowed in one window; a positive integer. */
  readonly requests: number;
  /** Length of the window in milliseconds. */
  readonly perMs: number;
}

/** Rate limits by pool. A pool left out keeps its published limit; `false` switches a pool off. */
export type ThrottleLimits = Readonly<Partial<Record<PoolName, RateLimit | false>>>;

/** Priority of a call in the throttle's queue: calls of higher priority go first. */
export type Priority = 'high' | 'normal' | 'low';

/** The current state of one pool, as the throttle sees it. */
export interface PoolSnapshot {
  /** Requests allowed in one window. */
  readonly requests: number;
  /** Length of the window in milliseconds. */
  readonly perMs: number;
  /** Permits in use: requests in flight, and those whose response arrived less than one window ago. */
  readonly used: number;
  /** Queued calls that need this pool. */
  readonly waiting: number;
  /** When the pool reopens after the service refused a request of it; absent while it is open. */
  readonly blockedUntil?: Date;
}

/** The current state of every pool that is switched on, by name. */
export type ThrottleSnapshot = Readonly<Partial<Record<PoolName, PoolSnapshot>>>;

/** Whose limits a request counts against: a token's, and an account's. */
export interface ThrottleKey {
  /** The token, or the function that supplies it, which is compared by identity. */
  readonly token: unknown;
  /** The account, where known; without one, its pools are kept by token. */
  readonly accountId?: number | undefined;
}

/** What a call passes to the throttle when it asks for a permit. */
export interface PermitRequest {
  /** Whose limits the request counts against. */
  readonly key: ThrottleKey;
  /** The account pool the request counts against, besides `token`. */
  readonly pool?: AccountPoolName | undefined;
  /** The call's priority in the queue. */
  readonly priority: Priority;
  /** Whether this is a retry: retries go before every first attempt of the same priority. */
  readonly isRetry: boolean;
  /** The attempt's timeout in milliseconds; bounds how long a request without a response may still be counted. */
  readonly timeoutMs: number;
  /** Called with the permit when a queued call gets it. */
  granted(permit: Permit): void;
  /** Called instead of `granted` when the throttle finds that it can never grant a permit. */
  refused?(error: Error): void;
  /** Called when the call is queued; not called when there is room. */
  readonly onWait?: ((wait: ThrottleWait) => void) | undefined;
}

/** Why a call is queued, and for how long it is expected to wait. */
export interface ThrottleWait {
  /** The pool that the call has to wait for longest. */
  readonly pool: PoolName;
  /** Calls queued for this pool, including this one. */
  readonly waiting: number;
  /** Estimated milliseconds until this call is sent. */
  readonly expectedWaitMs: number;
  /** True when a shared throttle is currently running without its store. */
  readonly degraded?: boolean;
}

/** The place of a waiting call in the queue. */
export interface PlaceInLine {
  /** Leaves the queue, for instance when the call is aborted: `granted` will not be called. */
  leave(): void;
}

/** Whether a call got its permit at once, and not a place in the queue. */
export function isPermit(answer: Permit | PlaceInLine): answer is Permit {
  return !('leave' in answer);
}

/** Permission to send one request. Exactly one of its methods has to be called, once. */
export interface Permit {
  /**
   * The response's headers arrived: the permit is returned one window from now. `limit` and `remaining` are the values
   * of the token pool's rate limit headers.
   */
  answered(headers: { readonly limit?: number | undefined; readonly remaining?: number | undefined }): void;
  /** The request provably never left: the permit is returned at once. */
  neverSent(): void;
  /**
   * The call was aborted or the connection broke: the service may still count the request until its timeout has passed.
   */
  abandoned(): void;
  /** No response arrived within the attempt's timeout. */
  timedOut(): void;
}

/**
 * Keeps requests within the rate limits, for every client that shares this object; limits are counted separately for
 * each token and account. Created by `createThrottle()`, or by `redisThrottle()` to share limits between processes.
 */
export interface Throttle {
  /** The current state of the pools, as one client (its token and account) sees them. */
  snapshot(key: ThrottleKey): ThrottleSnapshot;
  /** Estimated milliseconds until `count` further requests of this client would all have been sent. */
  estimate(count: number, pool: PoolName, key: ThrottleKey): number;
  /**
   * Takes a permit in every pool the request counts against, all or none. Returns the permit at once when there is
   * room; otherwise queues the call, and calls its `granted` when it is its turn. Returns no promise, because very many
   * calls may wait.
   */
  acquire(request: PermitRequest): Permit | PlaceInLine;
  /**
   * Closes a pool of this client for `ms` milliseconds, because the service refused a request of it: until then, none
   * is sent. Has to be called before the refused request's permit is answered, which may let the next call go.
   */
  block(key: ThrottleKey, pool: PoolName, ms: number): void;
}
