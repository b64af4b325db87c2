import pRetry from 'p-retry';
import { Attempt } from '../call/attempt.ts';
import type { Call } from '../call/call.ts';
import { emit } from '../call/hooks.ts';
import type { Answer, Next } from '../call/stage.ts';
import { ApiError } from '../core/api-errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import type { Execute } from '../core/request.ts';
import { readRateLimitHeaders } from '../http/rate-limit-headers.ts';
import { decideRetry } from './policy.ts';
import { needsSettling, settle } from './settlement.ts';

/**
 * Sends a call, and sends it again as the policy decides. p-retry runs the loop. Counting and waiting are left to the
 * policy (`retries: Infinity`, `minTimeout: 0`): p-retry would not call it any more once its own count is used up, and
 * cannot wait for a time that depends on the failure. It is not given the signal either: it would turn a result that
 * has arrived into a rejection.
 */
export function sendWithRetries(call: Call, send: Next, execute: Execute): Promise<Answer> {
  const { hooks, runtime } = call.config;
  let attempt = new Attempt(call, 1);
  let retries = 0;
  let isDecided = false;

  const failed = (error: unknown): Promise<Answer> => {
    if (call.lost !== undefined && needsSettling(call, error)) {
      // Whatever the outcome, there is nothing left to retry: the request has been carried out, or cannot be.
      isDecided = true;
      return settle(call, execute, error, call.lost);
    }
    if (error instanceof EmailPlatformError && error.effect === 'unknown') call.lost ??= error;
    throw error;
  };

  return pRetry(
    (number) => {
      attempt = new Attempt(call, number);
      return send(attempt).catch(failed);
    },
    {
      retries: Infinity,
      minTimeout: 0,
      shouldRetry: async ({ error }) => {
        const { retry } = call;
        if (retry === false || isDecided || call.isWithdrawn || !(error instanceof EmailPlatformError))
          return false;
        const { refusal } = attempt;
        const decision = decideRetry({
          ...retry,
          error,
          isRepeatable: call.request.isRepeatable,
          retries,
          refusals: call.refusals,
          refusal,
          remainingMs: call.remainingMs,
          retryAfterMs: retryAfterOf(error, runtime.wallNow),
          random: runtime.random,
        });
        if (decision === undefined) return false;
        const { delayMs, reason } = decision;
        if (reason === 'rate_limited') call.refusals += 1;
        else retries += 1;
        emit(hooks.onRetry, () => ({ ...attempt.event(), reason, delayMs, error }));
        // If the throttle has closed the pool until then, the retry is queued and goes first when it opens.
        const isQueued = reason === 'rate_limited' && refusal?.isClosed === true;
        if (!isQueued) await call.wait(undefined, { doing: 'waiting to be retried', timeoutMs: delayMs });
        return true;
      },
    },
  );
}

const retryAfterOf = (error: EmailPlatformError, wallNow: () => number): number | undefined =>
  error instanceof ApiError ? readRateLimitHeaders(error.headers, wallNow).retryAfterMs : undefined;
