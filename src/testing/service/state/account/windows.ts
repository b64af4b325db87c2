/**
 * How a rate-limit window behaves. `aligned`: windows start at whole multiples of their length on the clock.
 * `fixed`: a window starts with its first request. `sliding`: no period of that length contains more requests than the
 * limit.
 */
export type EmulatorWindowKind = 'aligned' | 'fixed' | 'sliding';

/** The requests that one token or account has made in one pool: plain data. */
export interface WindowState {
  /** The start of the window that `count` counts in. A sliding window does not use the two fields. */
  start: number;
  count: number;
  /** The times of the requests in a sliding window. */
  times: number[];
}

/** An unused window. */
export const unusedWindow = (): WindowState => ({ start: Number.NEGATIVE_INFINITY, count: 0, times: [] });

/**
 * Counts requests in windows of one kind and length. If the clock goes back, as after a test with fake timers, requests
 * with a later time no longer count.
 */
export interface WindowRule {
  /** The number of requests that count now. */
  used(window: WindowState, now: number): number;
  /** Counts one request. */
  take(window: WindowState, now: number): void;
  /** The time at which an exhausted window accepts the next request. */
  resetAt(window: WindowState, now: number): number;
}

class CountingRule implements WindowRule {
  readonly #perMs: number;
  readonly #startFor: (now: number) => number;

  constructor(perMs: number, startFor: (now: number) => number) {
    this.#perMs = perMs;
    this.#startFor = startFor;
  }

  used(window: WindowState, now: number): number {
    return this.#isOver(window, now) ? 0 : window.count;
  }

  take(window: WindowState, now: number): void {
    if (this.#isOver(window, now)) {
      window.start = this.#startFor(now);
      window.count = 0;
    }
    window.count += 1;
  }

  resetAt(window: WindowState, now: number): number {
    return (this.#isOver(window, now) ? this.#startFor(now) : window.start) + this.#perMs;
  }

  #isOver({ start }: WindowState, now: number): boolean {
    return now >= start + this.#perMs || now < start;
  }
}

class SlidingRule implements WindowRule {
  readonly #perMs: number;

  constructor(perMs: number) {
    this.#perMs = perMs;
  }

  used(window: WindowState, now: number): number {
    const since = now - this.#perMs;
    window.times = window.times.filter((at) => at > since && at <= now);
    return window.times.length;
  }

  take(window: WindowState, now: number): void {
    window.times.push(now);
  }

  resetAt({ times }: WindowState, now: number): number {
    return (times[0] ?? now) + this.#perMs;
  }
}

export function windowRule(kind: EmulatorWindowKind, perMs: number): WindowRule {
  switch (kind) {
    case 'aligned':
      return new CountingRule(perMs, (now) => Math.floor(now / perMs) * perMs);
    case 'fixed':
      return new CountingRule(perMs, (now) => now);
    case 'sliding':
      return new SlidingRule(perMs);
  }
}
