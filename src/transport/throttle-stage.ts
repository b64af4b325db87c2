import { RateLimitError } from '../core/api-errors.ts';
import { readCounts } from './rate-limit-headers.ts';
import { refusalWait } from './retry-policy.ts';
import { PUBLISHED_LIMITS } from '../throttle/limits.ts';
import type { Permit, PermitRequest } from '../throttle/permit.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { Attempt } from './attempt.ts';
import { emit } from './hooks.ts';
import type { Stage } from './stage.ts';

const QUEUED = 'queued for the rate limit';
/** Where requests are isolated: the bounds of the time after which a queued call looks again. */
const SHORTEST_LOOK_MS = 25;
const LONGEST_LOOK_MS = 250;

/**
 * Sends an attempt once it has a permit, and makes sure that the permit is ended whatever happens. A signed URL counts
 * against no limit.
 */
export const throttleStage: Stage = async (attempt, next) => {
  const { call } = attempt;
  const { throttle, runtime } = call.config;
  call.check();
  try {
    if (call.request.isOwn) attempt.permit = throttle?.acquire(requestOf(attempt));
    const { permit } = attempt;
    if (throttle && permit && runtime.isolatesRequests?.()) await lookForPermit(throttle, attempt, permit);
    else if (permit?.state === 'waiting') {
      await call.wait<undefined>((wait) => (permit.waiter = wait), QUEUED);
    }
    return await next(attempt);
  } catch (error) {
    if (error instanceof RateLimitError) refused(attempt, error);
    throw error;
  } finally {
    // If it has not ended by now, nothing was sent: for instance, the token function failed.
    attempt.permit?.end('neverSent');
  }
};

function requestOf(attempt: Attempt): PermitRequest {
  const { request, timeoutMs, config } = attempt.call;
  const { onThrottle } = config.hooks;
  return {
    key: request.key,
    pool: request.pool,
    priority: request.options.priority ?? 'normal',
    isRetry: attempt.number > 1,
    // A token function may take as long as the request itself.
    timeoutMs: typeof config.token === 'function' ? 2 * timeoutMs : timeoutMs,
    // Only with a hook, so that the throttle need not estimate the wait.
    onWait: onThrottle && ((wait) => emit(onThrottle, () => ({ ...attempt.event(), ...wait }))),
  };
}

/** Waits for a permit by timers of the call's own: nobody who makes room can wake it. */
async function lookForPermit(throttle: Throttle, attempt: Attempt, permit: Permit): Promise<void> {
  let refusal: Error | undefined;
  for (;;) {
    permit.waiter = { resolve: () => undefined, reject: (reason) => (refusal = reason) };
    const roomInMs = throttle.look(permit);
    if (refusal) throw refusal;
    if (permit.state === 'out') return;
    const timeoutMs = Math.max(SHORTEST_LOOK_MS, Math.min(roomInMs, LONGEST_LOOK_MS));
    await attempt.call.wait(undefined, QUEUED, timeoutMs);
    // It was taken back, although the call was only late.
    if (permit.state === 'ended') permit = attempt.permit = throttle.acquire(permit.request);
  }
}

/** After a 429: how long to wait is computed here, once, and the pool that refused is closed for so long. */
function refused(attempt: Attempt, error: RateLimitError): void {
  const { call, permit } = attempt;
  const { pool = 'token', retryAfterMs, headers } = error;
  const { throttle } = call.config;
  const { key } = call.request;
  const { perMs } = throttle?.snapshot(key)[pool] ?? PUBLISHED_LIMITS[pool];
  const waitMs = refusalWait(retryAfterMs, perMs, call);
  // Closed first, because the end of the permit may let the next call go.
  const isClosed = throttle?.block(key, pool, waitMs);
  attempt.refusal = { waitMs, isClosed };
  permit?.end('answered', readCounts(headers));
}
