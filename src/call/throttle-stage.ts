import { RateLimitError } from '../core/api-errors.ts';
import { isPermit, type PlaceInLine, type Throttle } from '../core/throttle.ts';
import type { Attempt, WaitingAttempt } from './attempt.ts';
import { windowMsOf } from '../throttle/pools.ts';
import { readCounts } from '../http/rate-limit-headers.ts';
import { refusalWaitMs } from '../retry/policy.ts';
import type { Answer, Next, Stage } from './stage.ts';

/** Sends an attempt once it has a permit, and queues it until then. A signed URL counts against no limit. */
export function throttleStage(throttle: Throttle, random: () => number): Stage {
  const go = (attempt: Attempt, next: Next) => sendWithPermit(throttle, random, attempt, next);
  return (attempt, next) => {
    if (attempt.call.request.signedUrl !== undefined) return next(attempt);
    const answer = throttle.acquire(attempt);
    if (isPermit(answer)) {
      attempt.permit = answer;
      return go(attempt, next);
    }
    return new Promise((resolve, reject) => {
      attempt.wait(new Waiting({ attempt, place: answer, next, go, resolve, reject }));
    });
  };
}

interface WaitingParts {
  readonly attempt: Attempt;
  readonly place: PlaceInLine;
  readonly next: Next;
  readonly go: (attempt: Attempt, next: Next) => Promise<Answer>;
  readonly resolve: (answer: Promise<Answer>) => void;
  readonly reject: (reason: Error) => void;
}

/** A queued attempt. An object, not functions that close over all this, because very many may wait. */
class Waiting implements WaitingAttempt {
  readonly doing = 'queued for the rate limit';
  readonly #parts: WaitingParts;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** Sends it in a microtask, because the throttle is still granting permits. */
  proceed(): void {
    const { attempt, next, go, resolve } = this.#parts;
    queueMicrotask(() => {
      resolve(go(attempt, next));
    });
  }

  /** Leaves the queue, as the call has to end. */
  callEnded(reason: Error): void {
    this.#parts.place.leave();
    this.#parts.reject(reason);
  }
}

/** Sends an attempt that has its permit, and makes sure that the permit is ended whatever happens. */
async function sendWithPermit(
  throttle: Throttle,
  random: () => number,
  attempt: Attempt,
  next: Next,
): Promise<Answer> {
  try {
    return await next(attempt);
  } catch (error) {
    if (error instanceof RateLimitError) {
      const { key } = attempt;
      const { pool = 'token', retryAfterMs } = error;
      const waitMs = refusalWaitMs(retryAfterMs, windowMsOf(throttle, key, pool), random);
      // Blocked first, because the end of the permit may let the next call go.
      throttle.block(key, pool, waitMs);
      attempt.endPermit((permit) => permit.answered(readCounts(error.headers)));
    }
    throw error;
  } finally {
    // If it has not ended by now, nothing was sent: for instance, the token function failed.
    attempt.endPermit((permit) => permit.neverSent());
  }
}
