/** The retry loop of a call: attempt, decision, wait; and, where an attempt was lost, whether it had succeeded. */
import pRetry from 'p-retry';
import { ApiError } from '../core/api-errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { Attempt } from './attempt.ts';
import type { Call, PreparedRequest } from './call.ts';
import { emit } from './hooks.ts';
import type { Outcome } from './response.ts';
import { decideRetry } from './retry-policy.ts';

/** p-retry takes what is left out from `Object.prototype`, if another package has put it there: so nothing is. */
const LEFT_OUT = { factor: 1, randomize: false, maxRetryTime: Infinity, unref: false, signal: undefined };

/**
 * Sends a call, and sends it again as the policy decides: p-retry runs the loop. The policy counts and waits, as p-retry
 * would not ask it any more once its own count is used up, and cannot wait for a time that depends on the failure. It is
 * not given the signal either: it would turn a result that has arrived into a rejection.
 */
export function sendWithRetries(
  call: Call,
  request: PreparedRequest,
  send: (attempt: Attempt) => Promise<Outcome>,
): Promise<Outcome> {
  let attempt: Attempt;
  const sendAttempt = (number: number) => {
    attempt = new Attempt(call, request, number);
    return send(attempt);
  };
  return pRetry(sendAttempt, {
    retries: Infinity,
    minTimeout: 0,
    maxTimeout: 0,
    shouldRetry: ({ error }) => waitToRetry(attempt, error),
    shouldConsumeRetry: () => true,
    onFailedAttempt: () => undefined,
    ...LEFT_OUT,
  }).catch((error: unknown) => settle(call, request, error));
}

/** Whether a failed attempt is followed by another; resolves when that may begin. */
async function waitToRetry(attempt: Attempt, error: Error): Promise<boolean> {
  const { call, refusal } = attempt;
  if (!(error instanceof EmailPlatformError)) return false;
  if (error.effect === 'unknown') call.lost(error);
  if (call.isWithdrawn) return false;
  const decision = decideRetry(attempt, error);
  if (!decision) return false;
  const { delayMs, reason } = decision;
  if (refusal) call.refused();
  call.complete(error);
  emit(call.config.hooks.onRetry, () => ({ ...attempt.event(), reason, delayMs, error }));
  // If the throttle has closed the pool until then, the retry is queued and goes first when it opens.
  if (!refusal?.isClosed) await call.wait(undefined, 'waiting to be retried', delayMs);
  return true;
}

/**
 * A call has failed. If it failed because a retry was refused after an attempt without a response, that attempt may have
 * succeeded: further requests find out. Returns the result if it had; otherwise, or if that stays unknown, throws the
 * first failure.
 */
async function settle(call: Call, { settle, options }: PreparedRequest, failure: unknown): Promise<Outcome> {
  const { firstLost: lost } = call;
  if (!lost || !(failure instanceof ApiError) || settle?.status !== failure.status) throw failure;
  const settled = await settle.resolve(call.within(options)).catch(() => undefined);
  call.check();
  if (settled === undefined) throw lost;
  return { response: settled.response ?? failure, result: settled.data };
}
