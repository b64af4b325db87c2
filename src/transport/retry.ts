import pRetry from 'p-retry';
import { ApiError, RateLimitError } from '../core/api-errors.ts';
import type { EmailPlatformError } from '../core/error-base.ts';
import { isEmailPlatformError } from '../core/error-guards.ts';
import { emit, type Hooks } from './hooks.ts';
import { PUBLISHED_LIMITS } from './pools.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import { decideRetry } from './retry-policy.ts';
import type { Runtime } from './runtime.ts';
import { newAttempt, type Answer, type Call, type Stage } from './stage.ts';

/**
 * Repeats a call as the policy says. p-retry owns the loop; it counts nothing and waits for nothing (`Infinity`, 0):
 * it would ask no one once its own count is spent, and knows no delay that depends on the failure.
 */
export function retryStage(hooks: Hooks, runtime: Runtime): Stage {
  return (first, next) => {
    const { call } = first;
    const { retry } = call;
    if (retry === false) return next(first);
    let retries = 0;
    let refusals = 0;
    let lost: EmailPlatformError | undefined;

    const send = async (number: number): Promise<Answer> => {
      try {
        return await next(number === 1 ? first : newAttempt(call, number));
      } catch (error) {
        if (lost !== undefined && error instanceof ApiError) {
          const settled = await settle(call, error, lost);
          if (settled !== undefined) return settled;
        }
        if (isEmailPlatformError(error) && error.effect === 'unknown') lost ??= error;
        throw error;
      }
    };

    return pRetry(send, {
      retries: Infinity,
      minTimeout: 0,
      factor: 1,
      shouldRetry: async ({ error, attemptNumber }) => {
        const decision = decideRetry({
          error,
          isRepeatable: call.spec.isRepeatable,
          retries,
          refusals,
          maxRetries: retry.maxRetries,
          retryAfterMs: waitAskedFor(error, runtime),
          windowMs: PUBLISHED_LIMITS[call.pool ?? 'token'].perMs,
          random: runtime.random,
        });
        if (decision === undefined || !isEmailPlatformError(error)) return false;
        const { delayMs, reason } = decision;
        if (delayMs > retry.maxWaitMs || delayMs >= call.scope.remainingMs) return false;
        if (reason === 'rate_limited') refusals += 1;
        else retries += 1;
        emit(hooks.onRetry, () => ({
          ...newAttempt(call, attemptNumber).event(),
          reason,
          delayMs,
          error,
        }));
        await call.scope.sleep(delayMs);
        return true;
      },
    });
  };
}

function waitAskedFor(error: unknown, runtime: Runtime): number | undefined {
  if (error instanceof RateLimitError) return error.retryAfterMs;
  return error instanceof ApiError
    ? readRateLimitHeaders(error.headers, runtime.wallNow).retryAfterMs
    : undefined;
}

/** The answer of an earlier attempt was lost, and this one was refused: did the earlier one succeed? */
async function settle(call: Call, refusal: ApiError, lost: EmailPlatformError): Promise<Answer | undefined> {
  const { settle: settlement } = call.spec;
  if (settlement?.status !== refusal.status) return undefined;
  const settled = await settlement.resolve(call.execute).catch(() => undefined);
  if (settled === undefined) throw lost;
  return { response: settled.response ?? refusal, text: undefined, data: settled.data };
}
