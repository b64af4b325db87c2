/** Decides whether a retry follows a failed attempt, and after which wait. Pure: randomness is passed in. */
import { ApiError, RateLimitError } from '../core/api-errors.ts';
import type { Defined } from '../kit/defined.ts';
import { ConnectionError, TimeoutError } from '../core/errors.ts';
import type { RetryOptions } from '../core/request.ts';
import { MAX_BELIEVED_WAIT_MS } from '../core/runtime.ts';

/** Why a failed attempt is retried. */
export type RetryReason = 'rate_limited' | 'never_sent' | 'connection_lost' | 'timed_out' | 'server_error';

/** Retry options with every default filled in. */
export type RetryLimits = Defined<Required<RetryOptions>>;

/** The facts of a failed attempt that the policy needs. */
export interface FailedAttempt {
  /** 1 for the first. */
  readonly number: number;
  readonly request: { readonly isRepeatable: boolean; readonly retry: RetryLimits };
  readonly call: {
    /** Responses with 429 so far, not counting this one. */
    readonly refusals: number;
    /** Milliseconds left before the call's deadline. */
    readonly remainingMs: number;
    readonly config: { readonly runtime: { readonly random: () => number } };
  };
  /** Whether no byte of its request left. */
  readonly neverLeft?: boolean;
  /** After a 429: its wait. */
  readonly refusal?: { readonly waitMs: number } | undefined;
}

/** A retry: its reason and the wait before it. */
export interface RetryDecision {
  readonly reason: RetryReason;
  readonly delayMs: number;
}

/** Long enough for a restart of the service, and for one window of a minute after a 429. */
const DEFAULT_RETRY: RetryLimits = { maxRetries: 3, maxWaitMs: 90_000 };
/** No retry, not even after a 429: every wait exceeds the maximum. */
const NO_RETRY: RetryLimits = { maxRetries: 0, maxWaitMs: -1 };
/** A service that refuses this often, each time after the wait it requested, will go on refusing. */
const MAX_REFUSALS = 20;
/** The shortest stated wait: the time of a reset may be slightly off, and a wait of 0 would be no wait. */
export const MIN_STATED_WAIT_MS = 250;
const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 30_000;

/** Exponential backoff with full jitter, so that clients that failed together return at different times. */
export function backoffMs(retries: number, random: () => number): number {
  return random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** retries);
}

/** Why the failed request may be retried; undefined if it may not. `neverLeft` is the proof for a timeout. */
export function retryReason(
  error: unknown,
  isRepeatable: boolean,
  neverLeft = false,
): RetryReason | undefined {
  // The service refuses with 429 before it acts, so a retry cannot repeat an effect.
  if (error instanceof RateLimitError) return 'rate_limited';
  if (error instanceof ConnectionError) {
    // A retry meets the same certificate, or the same host without TLS.
    if (error.phase === 'tls') return undefined;
    if (error.effect === 'none') return 'never_sent';
    return isRepeatable ? 'connection_lost' : undefined;
  }
  if (error instanceof TimeoutError) {
    if (error.kind === 'deadline') return undefined;
    if (neverLeft) return 'never_sent';
    return isRepeatable ? 'timed_out' : undefined;
  }
  if (!isRepeatable) return undefined;
  // A 408 or 5xx. A 501 is a refusal, and a retry would meet it again.
  const isFailure = error instanceof ApiError && error.status >= 400 && error.effect === 'unknown';
  return isFailure ? 'server_error' : undefined;
}

/**
 * Whether the same call may succeed later and a repetition is safe. True for the failures that the client retries, and
 * for a call that exceeded its time.
 */
export const isRetryable = (error: unknown, isRepeatable: boolean): boolean =>
  error instanceof TimeoutError
    ? isRepeatable || error.effect === 'none'
    : retryReason(error, isRepeatable) !== undefined;

/** Retry settings over a base. Any settings switch retries on, even if the base has them off. */
export function retryLimits(over: RetryOptions | false | undefined, base = DEFAULT_RETRY): RetryLimits {
  if (over === undefined) return base;
  if (over === false) return NO_RETRY;
  const { maxRetries, maxWaitMs } = base === NO_RETRY ? DEFAULT_RETRY : base;
  return { maxRetries: over.maxRetries ?? maxRetries, maxWaitMs: over.maxWaitMs ?? maxWaitMs };
}

/** The wait that a response states, unless it is not credible. */
function statedWait(error: unknown): number | undefined {
  const { retryAfterMs = Infinity } = error instanceof ApiError ? error : {};
  return retryAfterMs <= MAX_BELIEVED_WAIT_MS ? Math.max(MIN_STATED_WAIT_MS, retryAfterMs) : undefined;
}

/**
 * The reason and the wait of the retry after a failed attempt; undefined if there is no retry. The wait is the one of a
 * 429, the credible `Retry-After` of another response, or a backoff.
 */
export function decideRetry(attempt: FailedAttempt, error: unknown): RetryDecision | undefined {
  const { number, request, call, refusal, neverLeft } = attempt;
  const { isRepeatable, retry } = request;
  const { refusals, remainingMs, config } = call;
  const retries = number - 1 - refusals;
  const reason = retryReason(error, isRepeatable, neverLeft);
  const isOver = reason === 'rate_limited' ? refusals >= MAX_REFUSALS : retries >= retry.maxRetries;
  if (reason === undefined || isOver) return undefined;
  const longestMs = Math.min(retry.maxWaitMs, MAX_BELIEVED_WAIT_MS);
  const statedMs = refusal?.waitMs ?? statedWait(error);
  const delayMs = statedMs ?? Math.min(backoffMs(retries, config.runtime.random), longestMs);
  return delayMs <= longestMs && delayMs < remainingMs ? { reason, delayMs: Math.ceil(delayMs) } : undefined;
}
