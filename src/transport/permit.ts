/** An attempt's permit: takes it before the request, and decides how it ends. */
import { RateLimitError } from '../core/api-errors.ts';
import type { EmailPlatformError } from '../core/error-base.ts';
import { TimeoutError } from '../core/errors.ts';
import { stopwatch } from '../core/steady-time.ts';
import type { Permit, PermitRequest } from '../throttle/permit.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { Attempt } from './attempt.ts';
import type { Call } from './call.ts';
import { emit } from './hooks.ts';
import { readForThrottle, refuse } from './rate-limit.ts';
import type { ResponseHead } from './response.ts';

const QUEUED = 'queued for the rate limit';
const UNALIGNED = 'was refused, so the windows of its limit count as unknown for an hour';
/** In a runtime that isolates requests: the bounds of the time after which a queued call looks again. */
const SHORTEST_LOOK_MS = 25;
const LONGEST_LOOK_MS = 250;

/** Takes a permit and sends the attempt. A signed URL counts against no limit. */
export async function withPermit<T>(attempt: Attempt, send: () => Promise<T>): Promise<T> {
  const { call, request } = attempt;
  const { throttle, runtime } = call.config;
  call.check();
  try {
    if (request.carriesToken) attempt.permitted(throttle?.acquire(permitRequest(attempt)));
    request.onAsked?.();
    const { permit } = attempt;
    if (throttle && permit && runtime.isolatesRequests?.()) {
      await queued(call, lookForPermit(throttle, attempt, permit));
    } else if (permit?.state === 'waiting') {
      call.queue(permit);
      await queued(
        call,
        call.wait<undefined>((wait) => (permit.waiter = wait), QUEUED),
      );
    }
    return await send();
  } catch (error) {
    if (error instanceof RateLimitError) {
      const refusal = refuse(attempt, error);
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

/** Counts the time that a call is queued. */
function queued(call: Call, wait: Promise<void>): Promise<void> {
  const elapsedMs = stopwatch(call.config.runtime);
  return wait.finally(() => call.queued(elapsedMs()));
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

/**
 * Waits for a permit with the call's own timers: in a runtime that isolates requests, no other call can wake this one.
 */
async function lookForPermit(throttle: Throttle, attempt: Attempt, permit: Permit): Promise<void> {
  let failure: Error | undefined;
  for (;;) {
    permit.waiter = { resolve: () => undefined, reject: (reason) => (failure = reason) };
    const roomInMs = throttle.look(permit);
    if (failure) throw failure;
    if (permit.state === 'out') return;
    const timeoutMs = Math.max(SHORTEST_LOOK_MS, Math.min(roomInMs, LONGEST_LOOK_MS));
    await attempt.call.wait(undefined, QUEUED, timeoutMs);
    // The throttle took back the permit of a call that was only late.
    if (permit.state === 'ended') {
      permit = throttle.acquire(permit.request);
      attempt.permitted(permit);
    }
  }
}
