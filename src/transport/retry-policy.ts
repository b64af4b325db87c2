import { ApiError, RateLimitError } from '../core/api-errors.ts';
import { MAX_TIMER_MS } from '../core/clock.ts';
import { ConnectionError, TimeoutError } from '../core/errors.ts';
import type { RetryReason } from './hooks.ts';

/** What the policy is asked: one failure, and what came before it. */
export interface FailureInput {
  readonly error: unknown;
  /** Whether sending the request twice does no more than sending it once. */
  readonly isRepeatable: boolean;
  /** Repetitions so far, those after a 429 not counted. */
  readonly retries: number;
  /** Answers 429 so far, this one not counted. */
  readonly refusals: number;
  readonly maxRetries: number;
  /** The longest wait allowed. */
  readonly maxWaitMs: number;
  /** Milliseconds left of the call's deadline. */
  readonly remainingMs: number;
  /** `Retry-After` of the failure, where it had one. */
  readonly retryAfterMs: number | undefined;
  /** Length of the refused pool's window. */
  readonly windowMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** What to do about it: nothing more, or wait and repeat. */
export interface RetryDecision {
  readonly reason: RetryReason;
  readonly delayMs: number;
}

/** A reset that has passed already is as good as one that passes now: not to be asked about at once. */
const MIN_REFUSAL_WAIT_MS = 250;
/** A reset further away than this is no reset but a wrong clock or a misread number. */
export const MAX_BELIEVED_WAIT_MS = 3_600_000;
/** A service that refuses this often, each time after the wait it asked for, will not be persuaded. */
const MAX_REFUSALS = 20;
const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 30_000;

/** How long a 429 asks to wait: by its own word when it has one, else one window of the pool and a little more. */
export function refusalWaitMs(saidMs: number | undefined, windowMs: number, random: () => number): number {
  if (saidMs !== undefined && saidMs <= MAX_BELIEVED_WAIT_MS) return Math.max(MIN_REFUSAL_WAIT_MS, saidMs);
  return windowMs * (1 + 0.1 * random());
}

/** Exponential, with full jitter: callers that failed together do not come back together. */
function backoffMs(retries: number, random: () => number): number {
  return random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** retries);
}

/** Why an error may be repeated, if it may. */
export function retryReason(error: unknown, isRepeatable: boolean): RetryReason | undefined {
  // Refused before anything was done: repeating it cannot do it twice.
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

/** Whether, why and after how long a failed attempt is repeated. Pure: chance is handed in, time does not matter. */
export function decideRetry(input: FailureInput): RetryDecision | undefined {
  const { error, retries, refusals, retryAfterMs, maxWaitMs, remainingMs, random } = input;
  const longestMs = Math.min(maxWaitMs, MAX_TIMER_MS);
  const reason = retryReason(error, input.isRepeatable);
  if (reason === undefined) return undefined;
  if (reason === 'rate_limited') {
    if (refusals >= MAX_REFUSALS) return undefined;
    const askedMs = refusalWaitMs(retryAfterMs, input.windowMs, random);
    if (askedMs > longestMs || askedMs >= remainingMs) return undefined;
    // Refused again after the wait it asked for: others are at it, and all come back at the same time. What is added
    // must not be what the call fails by.
    const apartMs = refusals === 0 ? 0 : backoffMs(refusals - 1, random);
    const delayMs = askedMs + Math.min(apartMs, longestMs - askedMs, (remainingMs - askedMs) / 2);
    return { reason, delayMs: Math.ceil(delayMs) };
  }
  if (retries >= input.maxRetries) return undefined;
  const delayMs = retryAfterMs ?? Math.min(backoffMs(retries, random), longestMs);
  if (delayMs > longestMs || delayMs >= remainingMs) return undefined;
  return { reason, delayMs: Math.ceil(delayMs) };
}
