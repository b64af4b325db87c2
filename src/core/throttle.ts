/** The published pools of the service: `token` counts every request of an API token, the others count per account. */
export type PoolName = 'token' | AccountPoolName;

/** The pools the service keeps per account, each beside the token's own. */
export type AccountPoolName = 'contacts' | 'stats' | 'suppressions' | 'emailLogsList' | 'emailLogsGet';

/** A published limit: at most `requests` in any `perMs` milliseconds. */
export interface RateLimit {
  /** Requests allowed in one window; a positive integer. */
  readonly requests: number;
  /** Length of the window in milliseconds. */
  readonly perMs: number;
}

/** Limits by pool. A pool left out keeps its published limit; `false` switches it off. */
export type ThrottleLimits = Readonly<Partial<Record<PoolName, RateLimit | false>>>;

/** Who goes first while calls wait for room. */
export type Priority = 'high' | 'normal' | 'low';

/** One pool as the throttle sees it now. */
export interface PoolSnapshot {
  /** Requests allowed in one window. */
  readonly requests: number;
  /** Length of the window in milliseconds. */
  readonly perMs: number;
  /** Permits out now: requests in flight, and those answered less than one window ago. */
  readonly used: number;
  /** Calls waiting in line that need this pool. */
  readonly waiting: number;
  /** The service refused this pool until then; absent while it is open. */
  readonly blockedUntil?: Date;
}

/** Every pool that is switched on, by name. */
export type ThrottleSnapshot = Readonly<Partial<Record<PoolName, PoolSnapshot>>>;

/** Whose limits a request counts against. */
export interface ThrottleKey {
  /** The token's string, or the identity of the function that supplies it. */
  readonly token: unknown;
  /** The account, where known; without one the token stands for it. */
  readonly accountId?: number | undefined;
}

/** What a call tells the throttle when it asks for a permit. */
export interface PermitRequest {
  /** Whose limits it counts against. */
  readonly key: ThrottleKey;
  /** The account pool the endpoint counts against, beside `token`. */
  readonly pool?: AccountPoolName | undefined;
  /** Who goes first. */
  readonly priority: Priority;
  /** A repeated attempt goes before every first attempt of its priority. */
  readonly isRetry: boolean;
  /** The attempt's own timeout in milliseconds: it bounds how long an unanswered request may still be counted. */
  readonly timeoutMs: number;
  /** Called with the permit when the call has waited in line for it. */
  granted(permit: Permit): void;
  /** Called instead when the throttle finds that it can never grant one. */
  refused?(error: Error): void;
  /** Called when the call starts to wait (not when there is room). */
  readonly onWait?: ((wait: ThrottleWait) => void) | undefined;
}

/** Why, and for how long at a guess, a call waits. */
export interface ThrottleWait {
  /** The pool that keeps it waiting longest. */
  readonly pool: PoolName;
  /** Calls in line for this pool, this one included. */
  readonly waiting: number;
  /** Milliseconds until this call is expected to be sent. */
  readonly expectedWaitMs: number;
  /** Set by a shared throttle that runs without its store for now. */
  readonly degraded?: boolean;
}

/** A place in line, for a call that waits. */
export interface PlaceInLine {
  /** Gives the place up, as when the call is aborted: `granted` will not be called. */
  leave(): void;
}

/** Whether a call got its permit at once. */
export function isPermit(answer: Permit | PlaceInLine): answer is Permit {
  return !('leave' in answer);
}

/** The right to send one request. Exactly one of its endings is called, once. */
export interface Permit {
  /** The response's headers arrived: comes back one window from now. `limit` and `remaining` are the token pool's, as answered. */
  answered(headers: { readonly limit?: number | undefined; readonly remaining?: number | undefined }): void;
  /** The request provably never left: comes back at once. */
  neverSent(): void;
  /** The caller gave up, or the connection broke: the service may still count it until its timeout has passed. */
  abandoned(): void;
  /** No answer within the attempt's timeout. */
  timedOut(): void;
}

/**
 * Limits shared by every client that holds this object, kept apart inside by token and by account.
 * Made by `createThrottle()`, or by `redisThrottle()` for many processes.
 */
export interface Throttle {
  /** The pools as one client (its token and account) sees them now. */
  snapshot(key: ThrottleKey): ThrottleSnapshot;
  /** Milliseconds until `count` further requests of this client would all have been sent. */
  estimate(count: number, pool: PoolName, key: ThrottleKey): number;
  /**
   * Takes a permit in every pool the request counts against, all together or none: at once when there is room. Else the
   * call stands in line, and its `granted` is called when it is its turn. No promise is made here: very many may wait.
   */
  acquire(request: PermitRequest): Permit | PlaceInLine;
  /**
   * The service refused a pool of this client for `ms` milliseconds: nothing of it is sent before. To be called before
   * the refused request's permit is answered, which may let the next call go.
   */
  block(key: ThrottleKey, pool: PoolName, ms: number): void;
}
