import { RateLimitError } from '../core/api-errors.ts';
import { isPermit, type PlaceInLine, type Throttle } from '../core/throttle.ts';
import type { Attempt, WaitingAttempt } from './attempt.ts';
import { windowMsOf } from './pools.ts';
import { readCounts } from './rate-limit-headers.ts';
import { refusalWaitMs } from './retry-policy.ts';
import type { Answer, Next, Stage } from './stage.ts';

/** Lets an attempt go when the limits have room for it, and tells the throttle what became of it. */
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

/** An attempt in line. An object instead of functions that close over all this: very many may wait. */
class Waiting implements WaitingAttempt {
  readonly doing = 'queued for the rate limit';
  readonly #parts: WaitingParts;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** Sent later, but still in this tick: the throttle is in the midst of handing out permits. */
  proceed(): void {
    const { attempt, next, go, resolve } = this.#parts;
    queueMicrotask(() => {
      resolve(go(attempt, next));
    });
  }

  /** The call is over: the place in line is given up. */
  callEnded(reason: Error): void {
    this.#parts.place.leave();
    this.#parts.reject(reason);
  }
}

/** Sends an attempt that holds its permit, and gives the permit back whatever happens. */
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
      // Blocked first: the permit's return may let the next call go.
      throttle.block(key, pool, waitMs);
      attempt.endPermit((permit) => permit.answered(readCounts(error.headers)));
    }
    throw error;
  } finally {
    // Still held: nothing was sent, as when no token could be had.
    attempt.endPermit((permit) => permit.neverSent());
  }
}
