import { RateLimitError } from '../core/api-errors.ts';
import { readCounts } from '../http/rate-limit-headers.ts';
import { refusalWait } from '../retry/policy.ts';
import { PUBLISHED_LIMITS } from '../throttle/limits.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { Attempt } from './attempt.ts';
import type { Stage } from './stage.ts';

const QUEUED = { doing: 'queued for the rate limit' };

/**
 * Sends an attempt once it has a permit, and makes sure that the permit is ended whatever happens. A signed URL counts
 * against no limit.
 */
export const throttleStage =
  (throttle: Throttle | undefined): Stage =>
  async (attempt, next) => {
    const { call } = attempt;
    call.check();
    try {
      if (call.request.signedUrl === undefined) attempt.permit = throttle?.acquire(attempt);
      const { permit } = attempt;
      if (permit?.state === 'waiting') {
        await call.wait<undefined>((wait) => (permit.waiter = wait), QUEUED);
      }
      return await next(attempt);
    } catch (error) {
      if (error instanceof RateLimitError) refused(throttle, attempt, error);
      throw error;
    } finally {
      // If it has not ended by now, nothing was sent: for instance, the token function failed.
      attempt.end('neverSent');
    }
  };

/** After a 429: how long to wait is computed here, once, and the pool that refused is closed for so long. */
function refused(throttle: Throttle | undefined, attempt: Attempt, error: RateLimitError): void {
  const { call } = attempt;
  const { refusals, remainingMs, retry, config, request } = call;
  const { pool = 'token', retryAfterMs: saidMs, headers } = error;
  const { perMs: windowMs } = throttle?.snapshot(request.key)[pool] ?? PUBLISHED_LIMITS[pool];
  const { maxWaitMs } = retry || { maxWaitMs: Infinity };
  const { random } = config.runtime;
  const wait = refusalWait({ saidMs, windowMs, refusals, maxWaitMs, remainingMs, random });
  // Closed first, because the end of the permit may let the next call go.
  const isClosed = throttle?.block(request.key, pool, wait.waitMs) ?? false;
  attempt.refusal = { ...wait, isClosed };
  attempt.end('answered', readCounts(headers));
}
