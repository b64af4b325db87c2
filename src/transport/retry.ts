/** The retry loop of a call: attempt, decision, wait; and, where an attempt was lost, whether it had succeeded. */
import pRetry, { type Options } from 'p-retry';
import { ApiError } from '../core/api-errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { isolated } from '../core/isolated.ts';
import { Attempt } from './attempt.ts';
import type { Call, PreparedRequest } from './call.ts';
import { emit } from './hooks.ts';
import type { Outcome } from './response.ts';
import { decideRetry } from './retry-policy.ts';

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
export function sendWithRetries(
  call: Call,
  request: PreparedRequest,
  send: (attempt: Attempt) => Promise<Outcome>,
): Promise<Outcome> {
  const { hooks } = call.config;
  let attempt: Attempt;

  const shouldRetry = async ({ error }: { readonly error: Error }): Promise<boolean> => {
    if (!(error instanceof EmailPlatformError)) return false;
    if (error.effect === 'unknown') call.lost ??= error;
    if (call.isWithdrawn) return false;
    const decision = decideRetry(attempt, error);
    if (!decision) return false;
    const { delayMs, reason } = decision;
    const { refusal } = attempt;
    if (refusal) call.refusals += 1;
    call.complete(error);
    emit(hooks.onRetry, () => ({ ...attempt.event(), reason, delayMs, error }));
    // If the throttle has closed the pool until then, the retry is queued and goes first when it opens.
    if (!refusal?.isClosed) await call.wait(undefined, 'waiting to be retried', delayMs);
    return true;
  };

  const sendAttempt = (number: number) => {
    attempt = new Attempt(call, request, number);
    return send(attempt);
  };
  const first = sendAttempt(1);
  // Most calls need no retry: the loop begins when the first attempt has failed, and takes that for its own first attempt.
  const retried = () =>
    pRetry(
      (number) => (number === 1 ? first : sendAttempt(number)),
      isolated<Options>({ ...UNCOUNTED, shouldRetry }),
    );
  return first.catch(retried).catch((error: unknown) => settle(call, request, error));
}

/**
 * A call has failed. If it failed because a retry was refused after an attempt without a response, that attempt may have
 * succeeded: further requests find out. Returns the result if it had; otherwise, or if that stays unknown, throws the
 * first failure.
 */
async function settle(call: Call, { settle, options }: PreparedRequest, failure: unknown): Promise<Outcome> {
  const { lost } = call;
  if (!lost || !(failure instanceof ApiError) || settle?.status !== failure.status) throw failure;
  const settled = await settle.resolve(call.within(options)).catch(() => undefined);
  call.check();
  if (settled === undefined) throw lost;
  return { response: settled.response ?? failure, result: settled.data };
}
