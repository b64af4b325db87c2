import type { EmailPlatformError } from '../core/error-base.ts';
import type { Issue } from '../core/errors.ts';
import { tell } from '../core/observers.ts';
import type { HostName, HttpMethod } from '../core/request.ts';
import type { RateLimitInfo } from '../core/rate-limit-info.ts';
import type { ThrottleWait } from '../core/throttle.ts';

/** What every event tells of its attempt. No event holds a token, a header, a query or a body. */
export interface RequestEvent {
  /** The method called, for instance `campaigns.create`. */
  readonly operation: string;
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** Which of the service's hosts. */
  readonly host: HostName;
  /** The path, without host and query. */
  readonly path: string;
  /** 1 for the first attempt, 2 for the first repetition, and so on. */
  readonly attempt: number;
}

/** A response arrived, whatever its status. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  readonly status: number;
  /** Milliseconds from sending the request to the end of the response's body. */
  readonly durationMs: number;
  /** The service's id for the request, where it sent one. */
  readonly requestId: string | undefined;
  /** The rate limit as the response tells it. */
  readonly rateLimit: RateLimitInfo;
}

/** Why an attempt is repeated. */
export type RetryReason = 'rate_limited' | 'never_sent' | 'connection_lost' | 'timed_out' | 'server_error';

/** An attempt failed and will be repeated. */
export interface RetryEvent extends RequestEvent {
  /** Why it is repeated. */
  readonly reason: RetryReason;
  /** Milliseconds until then, time in line not counted. */
  readonly delayMs: number;
  /** What went wrong. */
  readonly error: EmailPlatformError;
}

/** A call has to wait in line. */
export interface ThrottleEvent extends RequestEvent, ThrottleWait {}

/** A response does not look as documented; it was returned all the same. */
export interface MismatchEvent extends RequestEvent {
  /** Where it differs, and how. */
  readonly issues: readonly Issue[];
}

/** Functions called as requests go. Events are frozen and hold no secret; a hook that throws breaks nothing. */
export interface Hooks {
  /** Before each attempt is sent. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** After each response, whatever its status. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Before each wait that precedes a repetition. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** When a call starts to wait for the throttle. */
  readonly onThrottle?: ((event: ThrottleEvent) => void) | undefined;
  /** When a response does not look as documented. Setting it is what switches response checks on. */
  readonly onMismatch?: ((event: MismatchEvent) => void) | undefined;
}

/** Calls a hook with a frozen event, if there is one. */
export const emit = <E extends object>(hook: ((event: E) => unknown) | undefined, event: () => E): void => {
  tell(hook, () => Object.freeze(event()));
};
