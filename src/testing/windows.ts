/**
 * How a rate-limit window behaves. `aligned`: windows begin at whole multiples of their length on the wall clock.
 * `fixed`: a window begins with its first request. `sliding`: any stretch of that length holds no more than the limit.
 */
export type EmulatorWindowKind = 'aligned' | 'fixed' | 'sliding';

/** What one key has used of one pool. */
export interface RateWindow {
  /** Requests counted at this moment. */
  used(now: number): number;
  /** Counts one. */
  take(now: number): void;
  /** When room comes back. */
  resetAt(now: number): number;
}

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

  #over(now: number): boolean {
    return now >= this.#start + this.#perMs;
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
    this.#log = this.#log.filter((at) => at > since);
    return this.#log.length;
  }

  take(now: number): void {
    this.#log.push(now);
  }

  resetAt(now: number): number {
    return (this.#log[0] ?? now) + this.#perMs;
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
