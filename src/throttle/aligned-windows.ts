import { MAX_BELIEVED_WAIT_MS } from '../core/runtime.ts';
import type { RateLimit, RateLimitWindows } from '../core/limits.ts';
import type { Ending, GrantedPermit, LimitCount } from './permit-window.ts';
import { ServiceClock } from './service-clock.ts';

/** A request in flight. */
interface Sent {
  /** Whether it is the first early request of its window. */
  readonly isProbe: boolean;
  /** If its response has no count left, the number of requests after which the service would refuse; see `#bound`. */
  readonly bound: number;
}

/**
 * Decides which requests of a pool may leave early: before the rule of `returnsAt` has returned a permit, but after the
 * end of the window in which the service must have counted the earlier requests.
 *
 * The windows may begin at other times than expected. So the first early request in a window is a probe: the rest wait
 * for its response. After a refusal, the pool does without early requests for an hour. If the response to the probe has
 * `x-ratelimit-remaining`, as many requests may follow as the service has left. Whatever its windows are, it refuses none of them: only requests that it counts later can use up
 * what was left. Without that count, one request may follow the first probe, and twice as many in each next window.
 */
export class AlignedWindows {
  readonly #limit: RateLimit;
  readonly #clock = new ServiceClock();
  readonly #out = new Map<GrantedPermit, Sent>();
  /** The times at which the windows of ended requests are over; sorted. */
  readonly #returns: number[] = [];
  #taken = 0;
  /** Until this time, `#mayFollow` early requests may leave, while fewer than `#bound` requests were taken in all. */
  #openUntil = -Infinity;
  #bound = -Infinity;
  #mayFollow = Infinity;
  /** The number of early requests that may follow the next probe without a count. */
  #trusted = 1;
  #isProbing = false;
  /** The time until which the service may count a request without a response. */
  #lateUntil = -Infinity;
  #unknownUntil = -Infinity;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Whether early requests are allowed at all. */
  kind(now: number): RateLimitWindows {
    return now < this.#unknownUntil ? 'unknown' : 'aligned';
  }

  /** Requests that the service may have counted in its present window, if it is aligned. */
  used(now: number): number {
    this.#forget(now);
    return this.#out.size + this.#returns.length;
  }

  /** Forgets the requests whose windows are over. */
  #forget(now: number): void {
    while ((this.#returns[0] ?? Infinity) <= now) this.#returns.shift();
  }

  /** The time at which a request may leave early; Infinity if only the end of a request in flight can tell. */
  roomAt(now: number): number {
    if (this.kind(now) === 'unknown') return Infinity;
    if (this.used(now) >= this.#limit.requests) return this.#returns[0] ?? Infinity;
    if (now < this.#openUntil)
      return this.#taken < this.#bound && this.#mayFollow > 0 ? now : this.#openUntil;
    return this.#isProbing ? Infinity : Math.max(now, this.#lateUntil);
  }

  /** A request leaves; `isEarly` if the rule has no permit for it. */
  take(permit: GrantedPermit, isEarly: boolean, now: number): void {
    this.#taken += 1;
    const isProbe = isEarly && now >= this.#openUntil;
    if (isProbe) this.#isProbing = true;
    else if (isEarly) this.#mayFollow -= 1;
    // The service may count these after this request.
    const others = now < this.#lateUntil ? Infinity : this.#out.size;
    this.#out.set(permit, { isProbe, bound: this.#taken - others });
  }

  /** A request ends; the rule returns its permit at `returnsAt`. */
  end(permit: GrantedPermit, ending: Ending, counts: LimitCount, returnsAt: number, now: number): void {
    const sent = this.#out.get(permit);
    this.#out.delete(permit);
    if (sent?.isProbe === true) this.#isProbing = false;
    if (ending === 'neverSent') return;
    const { perMs } = this.#limit;
    const { date, remaining } = counts;
    if (date !== undefined) this.#clock.seen(date, permit.grantedAt, now);
    const countedBy = returnsAt - perMs;
    const at = Math.min(returnsAt, this.#clock.windowEnd(countedBy, perMs, date));
    // Here too: nothing else does for the hour after a refusal.
    this.#forget(now);
    this.#returns.splice(this.#returns.findLastIndex((other) => other <= at) + 1, 0, at);
    this.#lateUntil = Math.max(this.#lateUntil, countedBy);
    if (ending !== 'answered' || !sent) return;
    const bound = remaining === undefined ? undefined : sent.bound + remaining;
    if (sent.isProbe) this.#open(bound, at);
    else if (bound !== undefined && now < this.#openUntil) this.#bound = Math.max(this.#bound, bound);
  }

  /** Lets requests follow an accepted probe in its window. */
  #open(bound: number | undefined, until: number): void {
    if (this.#mayFollow === 0) this.#trusted = Math.min(2 * this.#trusted, this.#limit.requests);
    this.#mayFollow = bound === undefined ? this.#trusted : Infinity;
    this.#bound = bound ?? Infinity;
    this.#openUntil = until;
  }

  /** The service refused a request. Returns whether early requests were allowed until now. */
  distrust(now: number): boolean {
    if (this.kind(now) === 'unknown') return false;
    this.#unknownUntil = now + MAX_BELIEVED_WAIT_MS;
    this.#trusted = 1;
    this.#mayFollow = Infinity;
    return true;
  }
}
