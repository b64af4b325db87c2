/** The events of a call, and the hooks that are called with them. */
import type { EmailPlatformError } from '../core/error-base.ts';
import type { Issue } from '../core/errors.ts';
import { tell } from '../core/tried.ts';
import type { HostName, HttpMethod } from '../core/request.ts';
import type { RetryReason } from './retry-policy.ts';
import type { RateLimitInfo } from '../core/api-promise.ts';
import type { ThrottleWait } from '../core/limits.ts';

/** The fields of every event that tell which call it is about. No event contains a token, a header, a query or a body. */
export interface CallEvent {
  /** The same in all events of a call, and in no other call's. */
  readonly callId: string;
  /** The method called, for instance `campaigns.create`. */
  readonly operation: string;
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** Which of the service's hosts. */
  readonly host: HostName;
  /** The path, without host and query. */
  readonly path: string;
  /** The call's option `meta`; undefined if it was given none. */
  readonly meta: unknown;
}

/** The fields of an event that tell which attempt it is about. */
export interface RequestEvent extends CallEvent {
  /** 1 for the first attempt, 2 for the first retry, and so on. */
  readonly attempt: number;
}

/** A response arrived, whatever its status. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  readonly status: number;
  /** Milliseconds from sending the request to the end of the response body. */
  readonly durationMs: number;
  /** The service's id for the request, if it sent one. */
  readonly requestId: string | undefined;
  /** The rate limit, as the response's headers state it. */
  readonly rateLimit: RateLimitInfo;
}

/** An attempt failed and will be retried. */
export interface RetryEvent extends RequestEvent {
  /** Why it is retried. */
  readonly reason: RetryReason;
  /** Milliseconds until the retry, not counting time in the queue. */
  readonly delayMs: number;
  /** What went wrong. */
  readonly error: EmailPlatformError;
}

/** A call is queued, because a rate limit has no room for it. */
export interface ThrottleEvent extends RequestEvent, ThrottleWait {}

/** A response does not match its schema; unless `validateResponses` is `'throw'`, it is returned all the same. */
export interface MismatchEvent extends RequestEvent {
  /** Where it differs, and how. */
  readonly issues: readonly Issue[];
}

/** A call has ended: it returned its result or threw, or the stream it returned has ended. */
export interface EndEvent extends CallEvent {
  /** Whether it returned its result, or threw. */
  readonly outcome: 'succeeded' | 'failed';
  /** Milliseconds from the call to its end, including waits. */
  readonly durationMs: number;
  /** Number of requests sent; 0 when none was. */
  readonly attempts: number;
  /** What it threw; undefined when it succeeded. */
  readonly error: EmailPlatformError | undefined;
  /** The ids of the emails that it has sent; undefined where it has sent none. */
  readonly message_ids?: readonly string[] | undefined;
  /** How many emails of a batch the service rejected; undefined where it rejected none. */
  readonly rejected?: number | undefined;
}

/** Functions called while requests are made. Events are frozen and contain no secret; what a hook throws is ignored. */
export interface Hooks {
  /** Once for every call, when it is made, before its arguments are checked and before any other event of it. */
  readonly onStart?: ((event: CallEvent) => void) | undefined;
  /** Before each attempt is sent. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** After each response, whatever its status. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Before the wait that precedes each retry. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** When a call is queued. */
  readonly onThrottle?: ((event: ThrottleEvent) => void) | undefined;
  /** When a response does not match its schema. Needs the client's option `schemas`. */
  readonly onMismatch?: ((event: MismatchEvent) => void) | undefined;
  /** Once for every call, when it has ended, whether or not there was a response or even a request. */
  readonly onEnd?: ((event: EndEvent) => void) | undefined;
}

/** A hook that calls both, each by itself: what the first throws is ignored before the second is called. */
function both<E>(
  first: ((event: E) => void) | undefined,
  second: ((event: E) => void) | undefined,
): ((event: E) => void) | undefined {
  if (!first || !second) return first ?? second;
  return (event) => {
    tell(first, () => event);
    tell(second, () => event);
  };
}

/** The hooks of a client, and after each the one added to it. Later changes to the objects have no effect. */
export const addHooks = (hooks: Hooks, added: Hooks): Hooks => ({
  onStart: both(hooks.onStart, added.onStart),
  onRequest: both(hooks.onRequest, added.onRequest),
  onResponse: both(hooks.onResponse, added.onResponse),
  onRetry: both(hooks.onRetry, added.onRetry),
  onThrottle: both(hooks.onThrottle, added.onThrottle),
  onMismatch: both(hooks.onMismatch, added.onMismatch),
  onEnd: both(hooks.onEnd, added.onEnd),
});

/** Calls a hook, if it is set, with a frozen event. */
export const emit = <E extends object>(hook: ((event: E) => unknown) | undefined, event: () => E): void => {
  tell(hook, () => Object.freeze(event()));
};
