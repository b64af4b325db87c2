import { ApiError, RateLimitError } from '../core/api-errors.ts';
import { MAX_TIMER_MS } from '../core/clock.ts';
import { ConnectionError, TimeoutError } from '../core/errors.ts';
import type { RetryReason } from '../call/hooks.ts';

/** What the policy decides on: one failure, and what came before it. */
export interface FailureInput {
  readonly error: unknown;
  /** Whether sending the request twice does no more than sending it once. */
  readonly isRepeatable: boolean;
  /** Retries so far, not counting those after a 429. */
  readonly retries: number;
  /** Responses with 429 so far, not counting this one. */
  readonly refusals: number;
  readonly maxRetries: number;
  /** The longest wait allowed. */
  readonly maxWaitMs: number;
  /** Milliseconds left before the call's deadline. */
  readonly remainingMs: number;
  /** Milliseconds the failed response asked to wait, if it did. */
  readonly retryAfterMs: number | undefined;
  /** Length of the refused pool's window. */
  readonly windowMs: number;
  /** A random number from 0 up to 1. */
  readonly random: () => number;
}

/** A retry: why, and after how long a wait. */
export interface RetryDecision {
  readonly reason: RetryReason;
  readonly delayMs: number;
}

/** The shortest wait after a 429, because a reset that has just passed may be off by a little. */
const MIN_REFUSAL_WAIT_MS = 250;
/** A reset further away than this is taken for a wrong clock or a misread number. */
export const MAX_BELIEVED_WAIT_MS = 3_600_000;
/** A service that refuses this often, each time after the wait it asked for, will go on refusing. */
const MAX_REFUSALS = 20;
const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 30_000;

/** How long to wait after a 429: as long as it says, otherwise one window of the pool and a little more. */
export function refusalWaitMs(saidMs: number | undefined, windowMs: number, random: () => number): number {
  if (saidMs !== undefined && saidMs <= MAX_BELIEVED_WAIT_MS) return Math.max(MIN_REFUSAL_WAIT_MS, saidMs);
  return windowMs * (1 + 0.1 * random());
}

/** Exponential, with full jitter, so that clients that failed together do not return together. */
function backoffMs(retries: number, random: () => number): number {
  return random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** retries);
}

/** Why the failed request may be retried; undefined if it may not. */
export function retryReason(error: unknown, isRepeatable: boolean): RetryReason | undefined {
  // Refused before anything was done, so a retry cannot do it twice.
  if (error instanceof RateLimitError) return 'rate_limited';
  if (error instanceof ConnectionError) {
    // A certificate refused now will be refused again.
    if (error.phase === 'tls') return undefined;
    if (error.effect === 'none') return 'never_sent';
    return isRepeatable ? 'connection_lost' : undefined;
  }
  if (!isRepeatable) return undefined;
  if (error instanceof TimeoutError) return error.kind === 'attempt' ? 'timed_out' : undefined;
  if (error instanceof ApiError && (error.status >= 500 || error.status === 408)) return 'server_error';
  return undefined;
}

/** Why and after how long a failed attempt is retried; undefined if it is not. Pure: randomness is passed in. */
export function decideRetry(input: FailureInput): RetryDecision | undefined {
  const { error, retries, refusals, retryAfterMs, maxWaitMs, remainingMs, random } = input;
  const longestMs = Math.min(maxWaitMs, MAX_TIMER_MS);
  const reason = retryReason(error, input.isRepeatable);
  if (reason === undefined) return undefined;
  if (reason === 'rate_limited') {
    if (refusals >= MAX_REFUSALS) return undefined;
    const askedMs = refusalWaitMs(retryAfterMs, input.windowMs, random);
    if (askedMs > longestMs || askedMs >= remainingMs) return undefined;
    // Refused again after the wait it asked for: other clients wait for the same reset, so spread the retries. What is
    // added must not be what makes the call fail.
    const apartMs = refusals === 0 ? 0 : backoffMs(refusals - 1, random);
    const delayMs = askedMs + Math.min(apartMs, longestMs - askedMs, (remainingMs - askedMs) / 2);
    return { reason, delayMs: Math.ceil(delayMs) };
  }
  if (retries >= input.maxRetries) return undefined;
  const delayMs = retryAfterMs ?? Math.min(backoffMs(retries, random), longestMs);
  if (delayMs > longestMs || delayMs >= remainingMs) return undefined;
  return { reason, delayMs: Math.ceil(delayMs) };
}
