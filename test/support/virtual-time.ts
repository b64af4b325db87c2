interface VirtualTimer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
  isCancelled: boolean;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Largest number of timers at one moment: more are an endless loop. */
const MOST_AT_ONCE = 100_000;

/**
 * A clock that is moved by the test, and timers that fire with it in the order of their times. `now` and `setTimer`
 * are bound, so that they can be passed as functions.
 */
export class VirtualTime {
  #now: number;
  #timers: VirtualTimer[] = [];
  #order = 0;
  #atOnce = 0;

  constructor(start = 0) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  readonly setTimer = (ms: number, fire: () => void): (() => void) => {
    if (ms > LONGEST_TIMER_MS)
      throw new RangeError('Real timers cannot wait that long and would fire at once.');
    this.#order += 1;
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order, fire, isCancelled: false };
    this.#add(timer);
    return () => {
      timer.isCancelled = true;
    };
  };

  /** Resolves after `ms`. */
  readonly sleep = (ms: number): Promise<void> => new Promise((resolve) => this.setTimer(ms, resolve));

  /** The number of timers that have neither fired nor been cancelled. */
  get pending(): number {
    return this.#timers.filter((timer) => !timer.isCancelled).length;
  }

  /** When the next timer fires; Infinity when none is set. */
  get nextAt(): number {
    while (this.#timers[0]?.isCancelled === true) this.#dropFirst();
    return this.#timers[0]?.at ?? Infinity;
  }

  /** Moves the clock to the next timer and fires it, without waiting for promises. False when there is none. */
  fireNext(): boolean {
    const at = this.nextAt;
    const next = this.#timers[0];
    if (next === undefined) return false;
    this.#dropFirst();
    this.#atOnce = at > this.#now ? 0 : this.#atOnce + 1;
    if (this.#atOnce > MOST_AT_ONCE) throw new Error('Timers keep firing while the clock stands still.');
    this.#now = Math.max(this.#now, at);
    next.fire();
    return true;
  }

  /** Moves the clock and fires the timers that are due; after each, lets promises settle. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    while (this.nextAt <= end) {
      this.fireNext();
      await settle();
    }
    this.#now = end;
  }

  /** Advances from timer to timer until `promise` settles, and returns its result. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = promise.finally(() => (isSettled = true));
    settled.catch(() => undefined);
    await settle();
    while (!(isSettled as boolean) && this.fireNext()) await settle();
    if (!(isSettled as boolean)) throw new Error('No timer is left that could settle the promise.');
    return settled;
  }

  /** Moves the clock without firing anything, as a busy process does: its timers are late. */
  stall(ms: number): void {
    this.#now += ms;
  }

  #add(timer: VirtualTimer): void {
    const timers = this.#timers;
    let hole = timers.length;
    timers.push(timer);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = timers[parent];
      if (above === undefined || isBefore(above, timer)) break;
      timers[hole] = above;
      hole = parent;
    }
    timers[hole] = timer;
  }

  #dropFirst(): void {
    const timers = this.#timers;
    const moved = timers.pop();
    if (moved === undefined || timers.length === 0) return;
    let hole = 0;
    for (;;) {
      const left = timers[2 * hole + 1];
      const right = timers[2 * hole + 2];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (child === undefined || isBefore(moved, child)) break;
      timers[hole] = child;
      hole = 2 * hole + (isRight ? 2 : 1);
    }
    timers[hole] = moved;
  }
}

function isBefore(one: VirtualTimer, other: VirtualTimer): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** Lets everything finish that does not wait for a timer. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
