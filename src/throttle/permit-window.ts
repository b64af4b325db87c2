import type { RateLimit } from '../core/limits.ts';

/** How permits are granted: as soon as there is room, or spread over the window. */
export type Pace = 'burst' | 'even';

/**
 * What became of a request: its response headers arrived; it provably never left; the call was aborted or the
 * connection broke; or no response arrived in time.
 */
export type Ending = 'answered' | 'neverSent' | 'abandoned' | 'timedOut';

/** When a request was sent, and how long it may take. */
export interface Sent {
  readonly sentAt: number;
  readonly timeoutMs: number;
}

/**
 * When the permit of a request that ends now is returned.
 *
 * The rule: a permit is taken before its request is sent, and returned one whole window after the response headers
 * arrive. The service counts the request at some moment in between; we cannot know which. Take all requests it counted
 * within any one window: when the last of them was sent, the permits of all the others were still in use. So there cannot
 * be more of them than there are permits, wherever the service's windows begin and however long responses take.
 */
export function returnsAt(ending: Ending, { sentAt, timeoutMs }: Sent, perMs: number, now: number): number {
  switch (ending) {
    case 'answered':
      return now + perMs;
    case 'neverSent':
      return now;
    case 'abandoned':
      // It may still be counted until it would have timed out.
      return Math.max(now, sentAt + timeoutMs) + perMs;
    case 'timedOut':
      // It may be on its way for as long again.
      return now + timeoutMs + perMs;
  }
}

/** Permits held back for others, until when, and the time before which none is granted. */
export interface HeldBack {
  readonly held: number;
  readonly heldUntil: number;
  readonly openAt: number;
}

/** The permits of one pool, by the rule of {@link returnsAt}. Pure: the time is passed in, and never goes back. */
export class PermitWindow {
  readonly requests: number;
  readonly perMs: number;
  readonly #gapMs: number;
  /** When the permits of requests that ended are returned, sorted. */
  readonly #returns: number[] = [];
  #inFlight = 0;
  #taken = 0;
  #pacedUntil = -Infinity;

  constructor(limit: RateLimit, pace: Pace = 'burst') {
    this.requests = limit.requests;
    this.perMs = limit.perMs;
    this.#gapMs = pace === 'even' ? limit.perMs / limit.requests : 0;
  }

  /** Permits in use: for requests in flight, and for those that ended but may still be counted. */
  used(now: number): number {
    while (this.nextReturn <= now) this.#returns.shift();
    return this.#inFlight + this.#returns.length;
  }

  /** Permits ever taken. */
  get taken(): number {
    return this.#taken;
  }

  /** When an even pace allows the next request. */
  get pacedUntil(): number {
    return this.#pacedUntil;
  }

  /** The earliest known time at which a permit is returned; for a request in flight it is not known yet. */
  get nextReturn(): number {
    return this.#returns[0] ?? Infinity;
  }

  /** Takes a permit. The caller must have checked that `used` is below `requests` and that the pace allows it. */
  take(now: number): void {
    this.#inFlight += 1;
    this.#taken += 1;
    this.#pacedUntil = now + this.#gapMs;
  }

  /** A request ends now. Returns when its permit is returned. */
  end(ending: Ending, sent: Sent, now: number): number {
    const at = returnsAt(ending, sent, this.perMs, now);
    this.#inFlight -= 1;
    let index = this.#returns.length;
    while ((this.#returns[index - 1] ?? at) > at) index -= 1;
    this.#returns.splice(index, 0, at);
    return at;
  }

  /** When the `nth` permit from now (1 is the next) can be taken, if every response arrives at once. */
  expect(nth: number, now: number, { held, heldUntil, openAt }: HeldBack): number {
    const opensAt = Math.max(now, openAt, this.#pacedUntil);
    const free = this.requests - this.used(now) - held;
    const place = (nth - 1) % this.requests;
    const round = Math.floor((nth - 1) / this.requests);
    let first = now;
    if (place >= free) {
      const inFlight = new Array<number>(this.#inFlight).fill(now + this.perMs);
      const setAside = new Array<number>(held).fill(heldUntil);
      const returns = [...this.#returns, ...inFlight, ...setAside].sort((one, other) => one - other);
      first = returns[place - free] ?? now + this.perMs;
    }
    return Math.max(Math.max(opensAt, first) + round * this.perMs, opensAt + (nth - 1) * this.#gapMs);
  }
}
