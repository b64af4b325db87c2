import { ApiError, RateLimitError } from '../core/api-errors.ts';
import { MAX_BELIEVED_WAIT_MS } from '../core/clock.ts';
import { ConnectionError, TimeoutError } from '../core/errors.ts';
import type { RetryOptions } from '../core/request.ts';
import type { Runtime } from '../core/runtime.ts';

/** Why a failed attempt is retried. */
export type RetryReason = 'rate_limited' | 'never_sent' | 'connection_lost' | 'timed_out' | 'server_error';

/** How often a request is retried, and how long a single wait may be. */
export interface RetryLimits {
  readonly maxRetries: number;
  readonly maxWaitMs: number;
}

/** What the policy has to know of a call. */
export interface FailedCall {
  readonly request: { readonly isRepeatable: boolean };
  readonly retry: RetryLimits;
  /** Responses with 429 so far, not counting this one. */
  readonly refusals: number;
  /** Milliseconds left before the call's deadline. */
  readonly remainingMs: number;
  readonly config: { readonly runtime: Pick<Runtime, 'random'> };
}

/** A retry: why, and after how long a wait. */
export interface RetryDecision {
  readonly reason: RetryReason;
  readonly delayMs: number;
}

/** Long enough for a restart of the service, and for one window of a minute after a 429. */
const DEFAULT_RETRY: RetryLimits = { maxRetries: 3, maxWaitMs: 90_000 };
/** No retry, not even after a 429: no wait is as short. */
const NO_RETRY: RetryLimits = { maxRetries: 0, maxWaitMs: -1 };
/** The shortest wait after a 429, because a reset that has just passed may be off by a little. */
const MIN_REFUSAL_WAIT_MS = 250;
/** A service that refuses this often, each time after the wait it requested, will go on refusing. */
const MAX_REFUSALS = 20;
const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 30_000;

/** Exponential, with full jitter, so that clients that failed together do not return together. */
function backoffMs(retries: number, random: () => number): number {
  return random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** retries);
}

/**
 * How long to wait after a 429: as long as its response states, if it does, or one window of the refused pool and a
 * little more. If the service refuses again after the wait it stated, other clients probably wait for the same reset, so
 * the retries are spread. The added time must not make the call fail.
 */
export function refusalWait(saidMs: number | undefined, windowMs: number, call: FailedCall): number {
  const { refusals, retry, remainingMs, config } = call;
  const { random } = config.runtime;
  const oneWindowMs = Math.min(MAX_BELIEVED_WAIT_MS, windowMs * (1 + 0.1 * random()));
  const isBelieved = saidMs !== undefined && saidMs <= MAX_BELIEVED_WAIT_MS;
  const askedMs = isBelieved ? Math.max(MIN_REFUSAL_WAIT_MS, saidMs) : oneWindowMs;
  const apartMs = refusals === 0 ? 0 : backoffMs(refusals - 1, random);
  const addedMs = Math.min(apartMs, retry.maxWaitMs - askedMs, (remainingMs - askedMs) / 2);
  return Math.ceil(askedMs + Math.max(0, addedMs));
}

/** Why the failed request may be retried; undefined if it may not. */
export function retryReason(error: unknown, isRepeatable: boolean): RetryReason | undefined {
  // Refused before anything was done, so a retry cannot do it twice.
  if (error instanceof RateLimitError) return 'rate_limited';
  if (error instanceof ConnectionError) {
    // A certificate refused now will be refused again, and a host without TLS will still be without.
    if (error.phase === 'tls') return undefined;
    if (error.effect === 'none') return 'never_sent';
    return isRepeatable ? 'connection_lost' : undefined;
  }
  if (!isRepeatable) return undefined;
  if (error instanceof TimeoutError) return error.kind === 'attempt' ? 'timed_out' : undefined;
  // A 408 or 5xx, but for a 501: what was refused would be refused again.
  const isFailure = error instanceof ApiError && error.status >= 400 && error.effect === 'unknown';
  return isFailure ? 'server_error' : undefined;
}

/**
 * Whether the same call may succeed later, and repeating it does no harm: what is retried by itself, and a call whose
 * time was up.
 */
export const isRetryable = (error: unknown, isRepeatable: boolean): boolean =>
  error instanceof TimeoutError
    ? isRepeatable || error.effect === 'none'
    : retryReason(error, isRepeatable) !== undefined;

/** Retry settings over a base; any settings at all switch retries on where the base has them off. */
export function retryLimits(over: RetryOptions | false | undefined, base = DEFAULT_RETRY): RetryLimits {
  if (over === undefined) return base;
  if (over === false) return NO_RETRY;
  const { maxRetries, maxWaitMs } = base === NO_RETRY ? DEFAULT_RETRY : base;
  return { maxRetries: over.maxRetries ?? maxRetries, maxWaitMs: over.maxWaitMs ?? maxWaitMs };
}

/**
 * Why and after how long the `nth` attempt of a call, which failed, is followed by another; undefined if it is not.
 * `saidMs` is the wait after a 429, or the `Retry-After` of any other response. Pure: randomness is passed in.
 */
export function decideRetry(
  call: FailedCall,
  nth: number,
  error: unknown,
  saidMs: number | undefined,
): RetryDecision | undefined {
  const { request, retry, refusals, remainingMs, config } = call;
  const retries = nth - 1 - refusals;
  const reason = retryReason(error, request.isRepeatable);
  const isOver = reason === 'rate_limited' ? refusals >= MAX_REFUSALS : retries >= retry.maxRetries;
  if (reason === undefined || isOver) return undefined;
  const longestMs = Math.min(retry.maxWaitMs, MAX_BELIEVED_WAIT_MS);
  const delayMs = saidMs ?? Math.min(backoffMs(retries, config.runtime.random), longestMs);
  return delayMs <= longestMs && delayMs < remainingMs ? { reason, delayMs: Math.ceil(delayMs) } : undefined;
}
