/** The events of a call, and the hooks that are called with them. */
import type { EmailPlatformError } from '../core/error-base.ts';
import type { Issue } from '../core/errors.ts';
import { tell } from '../core/tried.ts';
import type { HostName, HttpMethod } from '../core/request.ts';
import type { RetryReason } from './retry-policy.ts';
import type { RateLimitInfo } from '../core/api-promise.ts';
import type { ThrottleWait } from '../core/limits.ts';

/** The fields of every event that identify its call. No event contains a token, a header, a query or a body. */
export interface CallEvent {
  /** The id of the call: the same in all its events, different for every call. */
  readonly callId: string;
  /** The method called, for instance `campaigns.create`. */
  readonly operation: string;
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** The service's host. */
  readonly host: HostName;
  /** The path, without host and query. */
  readonly path: string;
  /** The call's option `meta`; undefined if it has none. */
  readonly meta: unknown;
}

/** The fields of an event that identify the attempt. */
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
  /** The rate limit in the response's headers. */
  readonly rateLimit: RateLimitInfo;
}

/** An attempt failed and will be retried. */
export interface RetryEvent extends RequestEvent {
  /** The reason for the retry. */
  readonly reason: RetryReason;
  /** Milliseconds until the retry, not counting time in the queue. */
  readonly delayMs: number;
  /** The error of the attempt. */
  readonly error: EmailPlatformError;
}

/** A call is queued, because a rate limit has no permit for it. */
export interface ThrottleEvent extends RequestEvent, ThrottleWait {}

/** A response does not match its schema; unless `validateResponses` is `'throw'`, it is returned all the same. */
export interface MismatchEvent extends RequestEvent {
  /** The differences, each with its path. */
  readonly issues: readonly Issue[];
}

/** A call has ended: it returned its result or threw, or the stream it returned has ended. */
export interface EndEvent extends CallEvent {
  /** Whether it returned its result, or threw. */
  readonly outcome: 'succeeded' | 'failed';
  /** Milliseconds from the call to its end, including waits. */
  readonly durationMs: number;
  /** Number of requests sent; 0 if the call ended before its first. */
  readonly attempts: number;
  /** The error of the call; undefined if it succeeded. */
  readonly error: EmailPlatformError | undefined;
  /** The ids of the sent emails; undefined if there are none. */
  readonly message_ids?: readonly string[] | undefined;
  /** The number of emails of a batch that the service rejected; undefined if it is 0. */
  readonly rejected?: number | undefined;
}

/**
 * Functions that the client calls with the events of its calls. Events are frozen and contain no secret. An error that
 * a hook throws is ignored.
 */
export interface Hooks {
  /** Once for every call, at its start: before its arguments are checked, and before its other events. */
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
  /** Once for every call, at its end, even if it sent no request. */
  readonly onEnd?: ((event: EndEvent) => void) | undefined;
}

/** A hook that calls both; the second runs even if the first throws. */
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

/** No hooks. Each is set, so that none is read from `Object.prototype`. */
export const NO_HOOKS: Hooks = {
  onStart: undefined,
  onRequest: undefined,
  onResponse: undefined,
  onRetry: undefined,
  onThrottle: undefined,
  onMismatch: undefined,
  onEnd: undefined,
};

/** The hooks of a client, each followed by the added one. */
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
