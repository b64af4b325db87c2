import { RateLimitError } from '../core/api-errors.ts';
import type { PoolName, Throttle } from '../core/throttle.ts';
import { emit, type Hooks } from './hooks.ts';
import { PUBLISHED_LIMITS } from './pools.ts';
import { refusalWaitMs } from './retry-policy.ts';
import type { Runtime } from './runtime.ts';
import { endPermit, type Stage } from './stage.ts';

/** Lets an attempt go when the limits have room for it, and tells the throttle what became of it. */
export function throttleStage(throttle: Throttle, token: unknown, hooks: Hooks, runtime: Runtime): Stage {
  return async (attempt, next) => {
    const { call } = attempt;
    const key = { token, accountId: call.accountId };
    const permit = throttle.acquire({
      key,
      pool: call.pool,
      priority: call.priority,
      isRetry: attempt.number > 1,
      timeoutMs: call.timeoutMs,
      onCallEnd: (listener) => call.scope.onEnd(listener),
      onWait: (wait) => {
        emit(hooks.onThrottle, () => ({ ...attempt.event(), ...wait }));
      },
    });
    attempt.permit = permit instanceof Promise ? await permit : permit;
    try {
      return await next(attempt);
    } catch (error) {
      if (error instanceof RateLimitError) {
        const pool = (error.pool ?? 'token') as PoolName;
        throttle.block(
          key,
          pool,
          refusalWaitMs(error.retryAfterMs, PUBLISHED_LIMITS[pool].perMs, runtime.random),
        );
      }
      throw error;
    } finally {
      // Still held: nothing was sent, as when no token could be had.
      endPermit(attempt, (held) => held.neverSent());
    }
  };
}
