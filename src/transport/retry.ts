import pRetry, { type Options } from 'p-retry';
import { Attempt } from './attempt.ts';
import type { Call } from './call.ts';
import { emit } from './hooks.ts';
import type { Answer, Next } from './stage.ts';
import { ApiError } from '../core/api-errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { isolated } from '../core/isolated.ts';
import { decideRetry } from './retry-policy.ts';
import { settle } from './settlement.ts';

/**
 * No counting and no waiting. Every option is given: p-retry fills in a missing one so slowly that a call notices, and would
 * find it on a polluted `Object.prototype`.
 */
const UNCOUNTED = {
  retries: Infinity,
  minTimeout: 0,
  maxTimeout: 0,
  maxRetryTime: Infinity,
  factor: 1,
  randomize: false,
  onFailedAttempt: () => undefined,
  shouldConsumeRetry: () => true,
  signal: undefined,
  unref: false,
};

/**
 * Sends a call, and sends it again as the policy decides. p-retry runs the loop. Counting and waiting are left to the
 * policy: p-retry would not call it any more once its own count is used up, and cannot wait for a time that depends on
 * the failure. It is not given the signal either: it would turn a result that has arrived into a rejection.
 */
export function sendWithRetries(call: Call, send: Next): Promise<Answer> {
  const { hooks } = call.config;
  let attempt: Attempt;

  const shouldRetry = async ({ error }: { readonly error: Error }): Promise<boolean> => {
    if (!(error instanceof EmailPlatformError)) return false;
    if (error.effect === 'unknown') call.lost ??= error;
    if (call.isWithdrawn) return false;
    const { refusal, number } = attempt;
    const saidMs = refusal?.waitMs ?? (error instanceof ApiError ? error.retryAfterMs : undefined);
    const decision = decideRetry(call, number, error, saidMs);
    if (!decision) return false;
    const { delayMs, reason } = decision;
    if (refusal) call.refusals += 1;
    call.complete(error);
    emit(hooks.onRetry, () => ({ ...attempt.event(), reason, delayMs, error }));
    // If the throttle has closed the pool until then, the retry is queued and goes first when it opens.
    if (!refusal?.isClosed) await call.wait(undefined, 'waiting to be retried', delayMs);
    return true;
  };

  const sendAttempt = (number: number) => {
    attempt = new Attempt(call, number);
    return send(attempt);
  };
  return pRetry(sendAttempt, isolated<Options>({ ...UNCOUNTED, shouldRetry })).catch((error: unknown) =>
    settle(call, error),
  );
}
