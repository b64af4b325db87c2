import { ApiError, RateLimitError } from '../core/api-errors.ts';
import { MAX_BELIEVED_WAIT_MS } from '../core/clock.ts';
import { ConnectionError, TimeoutError } from '../core/errors.ts';
import type { RetryOptions } from '../core/request.ts';

/** Why a failed attempt is retried. */
export type RetryReason = 'rate_limited' | 'never_sent' | 'connection_lost' | 'timed_out' | 'server_error';

/** How often a request is retried, and how long a single wait may be. */
export interface RetryLimits {
  readonly maxRetries: number;
  readonly maxWaitMs: number;
}

/** What the policy decides on: one failure, and what came before it. */
export interface FailureInput extends RetryLimits {
  readonly error: unknown;
  /** Whether sending the request twice does no more than sending it once. */
  readonly isRepeatable: boolean;
  /** Retries so far, not counting those after a 429. */
  readonly retries: number;
  /** Responses with 429 so far, not counting this one. */
  readonly refusals: number;
  /** The wait after this 429, if it is one. */
  readonly refusal: RefusalWait | undefined;
  /** Milliseconds left before the call's deadline. */
  readonly remainingMs: number;
  /** `Retry-After` of any other failed response in milliseconds, if it has one. */
  readonly retryAfterMs: number | undefined;
  /** A random number from 0 up to 1. */
  readonly random: () => number;
}

/** A retry: why, and after how long a wait. */
export interface RetryDecision {
  readonly reason: RetryReason;
  readonly delayMs: number;
}

/** Long enough for a restart of the service, and for one window of a minute after a 429. */
const DEFAULT_RETRY: RetryLimits = { maxRetries: 3, maxWaitMs: 90_000 };
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

/** A 429: the wait its response states, if any, and the window of the refused pool, in milliseconds. */
type RefusalInput = Pick<FailureInput, 'refusals' | 'maxWaitMs' | 'remainingMs' | 'random'> & {
  readonly saidMs: number | undefined;
  readonly windowMs: number;
};

/** How long to wait after a 429. */
export interface RefusalWait {
  /** As long as the service states, or one window of the pool and a little more. */
  readonly askedMs: number;
  /** The same plus a random time if the service has refused the call before. */
  readonly waitMs: number;
}

/**
 * How long to wait after a 429. If the service refuses again after the wait it stated, other clients probably wait for
 * the same reset, so the retries are spread. The added time must not make the call fail.
 */
export function refusalWait(input: RefusalInput): RefusalWait {
  const { saidMs, windowMs, refusals, maxWaitMs, remainingMs, random } = input;
  const oneWindowMs = Math.min(MAX_BELIEVED_WAIT_MS, windowMs * (1 + 0.1 * random()));
  const isBelieved = saidMs !== undefined && saidMs <= MAX_BELIEVED_WAIT_MS;
  const askedMs = isBelieved ? Math.max(MIN_REFUSAL_WAIT_MS, saidMs) : oneWindowMs;
  const apartMs = refusals === 0 ? 0 : backoffMs(refusals - 1, random);
  const addedMs = Math.min(apartMs, maxWaitMs - askedMs, (remainingMs - askedMs) / 2);
  return { askedMs, waitMs: Math.ceil(askedMs + Math.max(0, addedMs)) };
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
export function retryLimits(
  over: RetryOptions | false | undefined,
  base: RetryLimits | false = DEFAULT_RETRY,
): RetryLimits | false {
  if (over === undefined) return base;
  if (over === false) return false;
  const { maxRetries, maxWaitMs } = base || DEFAULT_RETRY;
  return { maxRetries: over.maxRetries ?? maxRetries, maxWaitMs: over.maxWaitMs ?? maxWaitMs };
}

/** Why and after how long a failed attempt is retried; undefined if it is not. Pure: randomness is passed in. */
export function decideRetry(input: FailureInput): RetryDecision | undefined {
  const { error, refusal, retries, retryAfterMs, remainingMs, random } = input;
  const longestMs = Math.min(input.maxWaitMs, MAX_BELIEVED_WAIT_MS);
  const fits = (ms: number) => ms <= longestMs && ms < remainingMs;
  const reason = retryReason(error, input.isRepeatable);
  if (reason === undefined) return undefined;
  if (reason === 'rate_limited') {
    if (refusal === undefined || input.refusals >= MAX_REFUSALS || !fits(refusal.askedMs)) return undefined;
    return { reason, delayMs: refusal.waitMs };
  }
  if (retries >= input.maxRetries) return undefined;
  const delayMs = retryAfterMs ?? Math.min(backoffMs(retries, random), longestMs);
  return fits(delayMs) ? { reason, delayMs: Math.ceil(delayMs) } : undefined;
}
