import { MAX_TIMER_MS } from '../core/clock.ts';

/** A lease in hand waits no longer than this for the other permit its call needs. */
export const LONGEST_HOLD_MS = 2_000;
/** What a lease lives beyond its time, so that clocks that differ a little cut none short. */
export const SLACK_MS = 2_000;

/**
 * How long a lease must live if nobody ends it. Whoever asks for one does not know yet which call it will serve, so it
 * is made to outlive the longest: held for a while, then in flight until its timeout, then as long again, for it may be
 * stuck on its way, then one window. So late the permits of a process that died come back.
 */
export class LeaseTime {
  readonly #perMs: number;
  #longestTimeoutMs = 0;

  constructor(perMs: number) {
    this.#perMs = perMs;
  }

  /** Milliseconds to ask for. */
  get ms(): number {
    const ms = LONGEST_HOLD_MS + 2 * this.#longestTimeoutMs + this.#perMs + SLACK_MS;
    return Math.min(Math.ceil(ms), MAX_TIMER_MS);
  }

  /** A lease that ends before this might end under a request that begins at `now`. */
  mustOutlive(now: number): number {
    return now + this.ms - LONGEST_HOLD_MS;
  }

  /** A call with this timeout may be served; true when leases must live longer for it than was known. */
  serves(timeoutMs: number): boolean {
    if (timeoutMs <= this.#longestTimeoutMs) return false;
    this.#longestTimeoutMs = timeoutMs;
    return true;
  }

  /** Nobody is served any more. */
  reset(): void {
    this.#longestTimeoutMs = 0;
  }
}
