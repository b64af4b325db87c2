/**
 * The retry loop of a call: attempt, decision, wait. After a lost attempt it also finds out whether that attempt
 * succeeded.
 *
 * p-retry is the loop alone: its options here keep it from counting, waiting and giving up by itself. They protect this
 * client from the library, not the caller.
 */
import pRetry from 'p-retry';
import { ApiError } from '../core/api-errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { steersFramework } from '../core/steering.ts';
import { Attempt } from './attempt.ts';
import type { Call, PreparedRequest } from './call.ts';
import { emit } from './hooks.ts';
import type { Outcome } from './response.ts';
import { decideRetry } from './retry-policy.ts';

/** The options that p-retry would otherwise read from a polluted `Object.prototype`. */
const LEFT_OUT = { factor: 1, randomize: false, maxRetryTime: Infinity, unref: false, signal: undefined };

/**
 * Sends a call, and sends it again if the policy decides so: p-retry runs the loop. The policy counts and waits:
 * p-retry stops asking when its own count is used up, and its wait cannot depend on the failure. p-retry does not get
 * the signal, because it would turn a received result into a rejection.
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
 * Handles the failure of a call. If a retry was refused after an attempt without a response, that attempt may have
 * succeeded: further requests find out. Returns its result if it succeeded; otherwise, or if the requests cannot tell,
 * throws the first failure.
 */
async function settle(call: Call, { settle, options }: PreparedRequest, failure: unknown): Promise<Outcome> {
  const { firstLost: lost } = call;
  if (!lost || !(failure instanceof ApiError) || settle?.status !== failure.status) throw failure;
  const settled = await settle.resolve(call.within(options)).catch((error: unknown) => {
    if (steersFramework(error)) call.steered(error);
    return undefined;
  });
  call.check();
  if (settled === undefined) throw lost;
  return { response: settled.response ?? failure, result: settled.data };
}
