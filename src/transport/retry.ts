import pRetry from 'p-retry';
import { ApiError, RateLimitError } from '../core/api-errors.ts';
import type { EmailPlatformError } from '../core/error-base.ts';
import { isEmailPlatformError } from '../core/error-guards.ts';
import type { Execute, RetryOptions, Settlement } from '../core/request.ts';
import { Attempt } from './attempt.ts';
import type { Call } from './call.ts';
import type { RetryLimits } from './config.ts';
import { emit } from './hooks.ts';
import { windowMsOf } from './pools.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import { decideRetry } from './retry-policy.ts';
import type { Answer, Next } from './stage.ts';

/** Enough for a restart of the service, and for one window of the slowest published limit. */
const DEFAULT_RETRY: RetryLimits = { maxRetries: 3, maxWaitMs: 90_000 };

/** What goes by between a refusal and the wait that follows it, and more. */
const EARLY_MS = 50;

/** Settings over others; settings switch retries on where those have none. */
export function retryLimits(
  over: RetryOptions | false | undefined,
  base: RetryLimits | false = DEFAULT_RETRY,
): RetryLimits | false {
  if (over === undefined) return base;
  if (over === false) return false;
  const { maxRetries, maxWaitMs } = base || DEFAULT_RETRY;
  return { maxRetries: over.maxRetries ?? maxRetries, maxWaitMs: over.maxWaitMs ?? maxWaitMs };
}

/**
 * Repeats a call as the policy says, after its first attempt has failed: one that succeeds, as nearly all do, pays
 * nothing for this. p-retry owns the loop, which begins with the failure at hand. It counts nothing and waits for nothing
 * (`Infinity`, 0): it would ask no one once its own count is spent, and knows no delay that depends on the failure.
 */
export function repeat(call: Call, send: Next, execute: Execute, firstFailure: unknown): Promise<Answer> {
  const { hooks, runtime } = call.config;
  const retry = retryLimits(call.request.options.retry, call.config.retry);
  let retries = 0;
  let refusals = 0;
  let lost: EmailPlatformError | undefined;
  let isDecided = false;

  const attempt = async (number: number): Promise<Answer> => {
    try {
      if (number === 1) throw firstFailure;
      return await send(new Attempt(call, number));
    } catch (error) {
      const { settle: settlement } = call.request;
      if (lost !== undefined && error instanceof ApiError && settlement?.status === error.status) {
        // Either way there is nothing left to repeat: what was asked for has been done, or cannot be.
        isDecided = true;
        return await settle(call, execute, settlement, error, lost);
      }
      if (isEmailPlatformError(error) && error.effect === 'unknown') lost ??= error;
      throw error;
    }
  };

  return pRetry(attempt, {
    retries: Infinity,
    minTimeout: 0,
    factor: 1,
    shouldRetry: async ({ error, attemptNumber }) => {
      if (retry === false || isDecided || call.isWithdrawn) return false;
      const decision = decideRetry({
        error,
        isRepeatable: call.request.isRepeatable,
        retries,
        refusals,
        ...retry,
        remainingMs: call.remainingMs,
        retryAfterMs: waitAskedFor(error, runtime.wallNow),
        windowMs: windowOf(error, call),
        random: runtime.random,
      });
      if (decision === undefined || !isEmailPlatformError(error)) return false;
      const { delayMs, reason } = decision;
      if (reason === 'rate_limited') refusals += 1;
      else retries += 1;
      emit(hooks.onRetry, () => ({ ...new Attempt(call, attemptNumber).event(), reason, delayMs, error }));
      await call.sleep(isKeptShut(error, call) ? Math.max(0, delayMs - EARLY_MS) : delayMs);
      return true;
    },
  });
}

/**
 * Whether the throttle sends nothing before the refused pool opens. A retry that comes a moment early is then the first in
 * the queue.
 */
function isKeptShut(error: unknown, { config, request }: Call): boolean {
  if (!(error instanceof RateLimitError)) return false;
  return config.throttle?.snapshot(request.key)[error.pool ?? 'token']?.blockedUntil !== undefined;
}

/** The window of the pool that was refused: where the service names no time, it is over after one at the latest. */
function windowOf(error: unknown, { config, request }: Call): number {
  const pool = error instanceof RateLimitError ? error.pool : undefined;
  return windowMsOf(config.throttle, request.key, pool ?? 'token');
}

function waitAskedFor(error: unknown, wallNow: () => number): number | undefined {
  if (error instanceof RateLimitError) return error.retryAfterMs;
  return error instanceof ApiError ? readRateLimitHeaders(error.headers, wallNow).retryAfterMs : undefined;
}

/** The answer of an earlier attempt was lost, and this one was refused: did the earlier one succeed? */
async function settle(
  call: Call,
  execute: Execute,
  settlement: Settlement<unknown>,
  refusal: ApiError,
  lost: EmailPlatformError,
): Promise<Answer> {
  // Part of this call: under its options, and within what is left of its deadline.
  const { remainingMs } = call;
  const { options } = call.request;
  const within = remainingMs === Infinity ? options : { ...options, deadlineMs: remainingMs };
  const settled = await settlement.resolve((request) => execute(request, within)).catch(() => undefined);
  if (settled === undefined) throw call.ended ?? lost;
  return { response: settled.response ?? refusal, text: undefined, data: settled.data };
}
