/**
 * The retry loop of a call: attempt, decision, wait. After a lost attempt it also finds out whether that attempt
 * succeeded. Of p-retry, this uses only the loop.
 */
import pRetry from 'p-retry';
import { ApiError } from '../core/api-errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { Attempt } from './attempt.ts';
import type { Call } from './call.ts';
import type { PreparedRequest } from './prepared-request.ts';
import { emit } from './hooks.ts';
import type { Outcome } from './response.ts';
import { decideRetry } from './retry-policy.ts';

/** Sends a call, and sends it again if the policy decides so. */
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
  const shouldRetry = ({ error }: { readonly error: Error }) => waitToRetry(attempt, error);
  return pRetry(sendAttempt, { shouldRetry, ...LOOP_ALONE }).catch((error: unknown) =>
    resultOfLost(call, request, error),
  );
}

/** Every option of p-retry: a polluted `Object.prototype` sets none. */
const LOOP_ALONE = {
  retries: Infinity,
  minTimeout: 0,
  maxTimeout: 0,
  factor: 1,
  randomize: false,
  maxRetryTime: Infinity,
  unref: false,
  signal: undefined,
  shouldConsumeRetry: () => true,
  onFailedAttempt: () => undefined,
};

/** Whether a retry follows a failed attempt; resolves when the retry may begin. */
async function waitToRetry(attempt: Attempt, error: Error): Promise<boolean> {
  const { call, refusal } = attempt;
  if (!(error instanceof EmailPlatformError)) return false;
  if (error.effect === 'unknown') call.lost(error);
  if (call.isWithdrawn || call.isSteered) return false;
  const decision = decideRetry(attempt, error);
  if (!decision) return false;
  const { delayMs, reason } = decision;
  if (refusal) call.refused();
  call.complete(error);
  emit(call.config.hooks.onRetry, () => ({ ...attempt.event(), reason, delayMs, error }));
  // If the throttle has closed the pool for this time, the retry waits in its queue and goes first.
  if (!refusal?.isClosed) await call.wait(undefined, 'waiting to be retried', delayMs);
  return true;
}

/**
 * Handles the failure of a call. If a retry was refused after a lost attempt, that attempt may have
 * succeeded: further requests find out. Returns its result if it succeeded; otherwise, or if the requests cannot tell,
 * throws the first failure.
 */
async function resultOfLost(
  call: Call,
  { ifLost, options }: PreparedRequest,
  failure: unknown,
): Promise<Outcome> {
  const { firstLost: lost } = call;
  if (!lost || !(failure instanceof ApiError) || ifLost?.status !== failure.status) throw failure;
  const found = await ifLost.resolve(call.within(options)).catch((error: unknown) => {
    call.caught(error);
    return undefined;
  });
  call.check();
  if (found === undefined) throw lost;
  return { response: found.response ?? failure, result: found.data };
}
