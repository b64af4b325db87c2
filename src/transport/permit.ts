/** An attempt's permit: takes it before the request, and decides how it ends. */
import { RateLimitError } from '../core/api-errors.ts';
import type { EmailPlatformError } from '../core/error-base.ts';
import { TimeoutError } from '../core/errors.ts';
import { stopwatch } from '../core/steady-time.ts';
import type { PermitRequest } from '../throttle/permit.ts';
import type { Attempt } from './attempt.ts';
import { emit } from './hooks.ts';
import { closeRefused, readForThrottle } from './rate-limit.ts';
import type { ResponseHead } from './response.ts';
import { lookForPermit } from './runtimes/isolated-requests.ts';

const QUEUED = 'queued for the rate limit';
const UNALIGNED = 'was refused, so the windows of its limit count as unknown for an hour';

/** Takes a permit and sends the attempt. A signed URL counts against no limit. */
export async function withPermit<T>(attempt: Attempt, send: () => Promise<T>): Promise<T> {
  const { call, request } = attempt;
  call.check();
  try {
    if (request.carriesToken) attempt.asked(call.config.throttle?.acquire(permitRequest(attempt)));
    request.onAsked?.();
    const queued = untilGranted(attempt);
    if (queued) {
      const elapsedMs = stopwatch(call.config.runtime);
      await queued.finally(() => call.dequeued(elapsedMs()));
    }
    return await send();
  } catch (error) {
    if (error instanceof RateLimitError) {
      const refusal = closeRefused(attempt, error);
      attempt.refused(refusal);
      if (refusal.givesUpWindows) call.config.warn?.(attempt.event(), UNALIGNED, { pool: error.pool });
      attempt.permit?.end('answered', readForThrottle(error.headers));
    }
    throw error;
  } finally {
    // A permit that is still open belongs to a request that was never sent, for instance because the token function
    // failed.
    attempt.permit?.end('neverSent');
  }
}

/** The wait in the queue of the throttle; undefined if the permit was granted at once. */
function untilGranted(attempt: Attempt): Promise<void> | undefined {
  const { call, permit } = attempt;
  const { throttle, runtime } = call.config;
  if (!throttle || !permit) return undefined;
  if (runtime.isolatesRequests?.()) return lookForPermit(attempt, throttle, permit, QUEUED);
  if (permit.state !== 'waiting') return undefined;
  call.enqueued(permit);
  return call.wait<undefined>((wait) => (permit.waiter = wait), QUEUED);
}

/**
 * Ends the permit when the response headers arrive. After a 429 it ends later: the body names the pool to close, and
 * the pool has to close first, because the end of the permit may let the next call go.
 */
export function endAnswered({ permit }: Attempt, { status, headers }: ResponseHead): void {
  if (status !== 429) permit?.end('answered', readForThrottle(headers));
}

/** Ends the permit of an attempt that failed without a response. */
export function endUnanswered({ permit, call }: Attempt, failure: EmailPlatformError): void {
  const isSent = call.isInFlight && failure.effect === 'unknown';
  const isTimeout = failure instanceof TimeoutError && failure.kind === 'attempt';
  const ending = isTimeout ? 'timedOut' : 'abandoned';
  permit?.end(isSent ? ending : 'neverSent');
}

/**
 * Throws if other processes may use the permit again before the service counts the request: the process was stopped
 * after the grant.
 */
export function checkPermit({ permit, request: { operation, timeoutMs } }: Attempt): void {
  if (permit?.lasts(timeoutMs) !== false) return;
  const message = `${operation} was not sent: it took too long between its permit and its request`;
  throw new TimeoutError(message, { kind: 'attempt', effect: 'none' });
}

function permitRequest(attempt: Attempt): PermitRequest {
  const { call, request, number } = attempt;
  const { config } = call;
  const { onThrottle } = config.hooks;
  const { key, pool, timeoutMs, options } = request;
  return {
    key,
    pool,
    priority: options.priority ?? 'normal',
    isRetry: number > 1,
    // A token function may take as long as the request itself, and so may a claim.
    timeoutMs: timeoutMs * (1 + Number(typeof config.token === 'function') + Number(Boolean(request.keyed))),
    // Left out without a hook, because the estimate of the wait costs time.
    onWait: onThrottle && ((wait) => emit(onThrottle, () => ({ ...attempt.event(), ...wait }))),
  };
}
