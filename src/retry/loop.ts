import pRetry from 'p-retry';
import { ApiError, RateLimitError } from '../core/api-errors.ts';
import type { EmailPlatformError } from '../core/error-base.ts';
import { isEmailPlatformError } from '../core/error-guards.ts';
import type { Execute, RetryOptions, Settlement } from '../core/request.ts';
import { Attempt } from '../call/attempt.ts';
import type { Call } from '../call/call.ts';
import type { RetryLimits } from '../call/config.ts';
import { emit } from '../call/hooks.ts';
import { windowMsOf } from '../throttle/pools.ts';
import { readRateLimitHeaders } from '../http/rate-limit-headers.ts';
import { decideRetry } from './policy.ts';
import type { Answer, Next } from '../call/stage.ts';

/** Long enough for a restart of the service, and for one window of a minute after a 429. */
const DEFAULT_RETRY: RetryLimits = { maxRetries: 3, maxWaitMs: 90_000 };

/**
 * How much too early a retry wakes, to be queued when its pool opens. The wait starts a little after the pool was
 * blocked, so a retry that waited all of it would come after the pool has opened; this is more than that little.
 */
const EARLY_MS = 50;

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

/**
 * Retries a call as the policy decides, once its first attempt has failed; a call that succeeds at once, as nearly all
 * do, never comes here. p-retry runs the loop, which starts with the failure at hand. Counting and waiting are left to
 * the policy (`retries: Infinity`, `minTimeout: 0`): p-retry would not ask it any more once its own count is used up,
 * and cannot wait for a time that depends on the failure.
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
        // Whatever the outcome, there is nothing left to retry: the request has been carried out, or cannot be.
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
 * Whether the throttle keeps the refused pool closed. Then a retry may come a moment early: it is sent no earlier, and
 * is the first in the queue.
 */
function isKeptShut(error: unknown, { config, request }: Call): boolean {
  if (!(error instanceof RateLimitError)) return false;
  return config.throttle?.snapshot(request.key)[error.pool ?? 'token']?.blockedUntil !== undefined;
}

/** The window of the refused pool: if the service names no reset, it accepts requests again after one at the latest. */
function windowOf(error: unknown, { config, request }: Call): number {
  const pool = error instanceof RateLimitError ? error.pool : undefined;
  return windowMsOf(config.throttle, request.key, pool ?? 'token');
}

function waitAskedFor(error: unknown, wallNow: () => number): number | undefined {
  if (error instanceof RateLimitError) return error.retryAfterMs;
  return error instanceof ApiError ? readRateLimitHeaders(error.headers, wallNow).retryAfterMs : undefined;
}

/**
 * An earlier attempt got no response, and its retry was refused, perhaps because the earlier one had succeeded. Finds
 * out by further requests. Returns the result if it had; throws the first failure if it had not, or that stays unknown.
 */
async function settle(
  call: Call,
  execute: Execute,
  settlement: Settlement<unknown>,
  refusal: ApiError,
  lost: EmailPlatformError,
): Promise<Answer> {
  // These requests are part of the call: under its options, and within what is left of its deadline.
  const { remainingMs } = call;
  const { options } = call.request;
  const within = remainingMs === Infinity ? options : { ...options, deadlineMs: remainingMs };
  const settled = await settlement.resolve((request) => execute(request, within)).catch(() => undefined);
  if (settled === undefined) throw call.ended ?? lost;
  return { response: settled.response ?? refusal, text: undefined, data: settled.data };
}
