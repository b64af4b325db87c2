import { arrayOf, recordOf, or, time, wholeFrom } from './checks/kind.ts';

/**
 * How a rate-limit window behaves. `aligned`: windows start at whole multiples of their length on the clock.
 * `fixed`: a window starts with its first request. `sliding`: no period of that length contains more requests than the
 * limit.
 */
export type EmulatorWindowKind = 'aligned' | 'fixed' | 'sliding';

/**
 * The requests that one token or account has made in one pool. If the clock is set back, as it is when a test stops to
 * fake it, what was counted at a later time no longer counts.
 */
export interface RateWindow {
  /** The number of requests that count now. */
  used(now: number): number;
  /** Counts one request. */
  take(now: number): void;
  /** When the next request is accepted again, if the limit is used up. */
  resetAt(now: number): number;
  /** The times that it keeps, for a snapshot. */
  save(): SavedWindow;
  load(saved: SavedWindow): void;
}

/** A window as a snapshot has it: when each of the requests that count was made, or their number since a time. */
export interface SavedWindow {
  readonly since: number | null;
  readonly count: number;
  readonly times: readonly number[];
}

export const windowKind = recordOf<SavedWindow>({
  since: or(time, null),
  count: wholeFrom(0),
  times: arrayOf('times', time),
});

class CountingWindow implements RateWindow {
  readonly #perMs: number;
  readonly #startFor: (now: number) => number;
  #start = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(perMs: number, startFor: (now: number) => number) {
    this.#perMs = perMs;
    this.#startFor = startFor;
  }

  used(now: number): number {
    return this.#over(now) ? 0 : this.#count;
  }

  take(now: number): void {
    if (this.#over(now)) {
      this.#start = this.#startFor(now);
      this.#count = 0;
    }
    this.#count += 1;
  }

  resetAt(now: number): number {
    return (this.#over(now) ? this.#startFor(now) : this.#start) + this.#perMs;
  }

  save(): SavedWindow {
    return { since: Number.isFinite(this.#start) ? this.#start : null, count: this.#count, times: [] };
  }

  load({ since, count }: SavedWindow): void {
    this.#start = since ?? Number.NEGATIVE_INFINITY;
    this.#count = count;
  }

  #over(now: number): boolean {
    return now >= this.#start + this.#perMs || now < this.#start;
  }
}

class SlidingWindow implements RateWindow {
  readonly #perMs: number;
  #log: number[] = [];

  constructor(perMs: number) {
    this.#perMs = perMs;
  }

  used(now: number): number {
    const since = now - this.#perMs;
    this.#log = this.#log.filter((at) => at > since && at <= now);
    return this.#log.length;
  }

  take(now: number): void {
    this.#log.push(now);
  }

  resetAt(now: number): number {
    return (this.#log[0] ?? now) + this.#perMs;
  }

  save(): SavedWindow {
    return { since: null, count: this.#log.length, times: this.#log };
  }

  load({ times }: SavedWindow): void {
    this.#log = [...times];
  }
}

/** A new, unused window. */
export function createWindow(kind: EmulatorWindowKind, perMs: number): RateWindow {
  switch (kind) {
    case 'aligned':
      return new CountingWindow(perMs, (now) => Math.floor(now / perMs) * perMs);
    case 'fixed':
      return new CountingWindow(perMs, (now) => now);
    case 'sliding':
      return new SlidingWindow(perMs);
  }
}
