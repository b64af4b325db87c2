import { RateLimitError } from '../core/api-errors.ts';
import { isPermit, type PlaceInLine, type PoolName, type Throttle } from '../core/throttle.ts';
import type { Attempt, WaitingAttempt } from './attempt.ts';
import { PUBLISHED_LIMITS } from './pools.ts';
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
      attempt.wait(new Waiting(attempt, answer, next, go, resolve, reject));
    });
  };
}

/** An attempt in line. An object instead of functions that close over all this: very many may wait. */
class Waiting implements WaitingAttempt {
  readonly doing = 'in line for the rate limit';
  readonly #attempt: Attempt;
  readonly #place: PlaceInLine;
  readonly #next: Next;
  readonly #go: (attempt: Attempt, next: Next) => Promise<Answer>;
  readonly #resolve: (answer: Promise<Answer>) => void;
  readonly #reject: (reason: Error) => void;

  constructor(
    attempt: Attempt,
    place: PlaceInLine,
    next: Next,
    go: (attempt: Attempt, next: Next) => Promise<Answer>,
    resolve: (answer: Promise<Answer>) => void,
    reject: (reason: Error) => void,
  ) {
    this.#attempt = attempt;
    this.#place = place;
    this.#next = next;
    this.#go = go;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** The permit is there. Sent later, but still in this tick: the throttle is in the midst of handing out permits. */
  end(): void {
    queueMicrotask(() => {
      this.#resolve(this.#go(this.#attempt, this.#next));
    });
  }

  /** The call is over: the place in line is given up. */
  callEnded(reason: Error): void {
    this.#place.leave();
    this.#reject(reason);
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
      const pool = (error.pool ?? 'token') as PoolName;
      const { perMs } = throttle.snapshot(attempt.key)[pool] ?? PUBLISHED_LIMITS[pool];
      // Blocked first: the permit's return may let the next call go.
      throttle.block(attempt.key, pool, refusalWaitMs(error.retryAfterMs, perMs, random));
      attempt.endPermit((permit) => permit.answered(readCounts(error.headers)));
    }
    throw error;
  } finally {
    // Still held: nothing was sent, as when no token could be had.
    attempt.endPermit((permit) => permit.neverSent());
  }
}
