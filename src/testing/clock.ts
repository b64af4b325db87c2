/**
 * The time of the emulator. It follows real time (or the `now` option) and can be advanced by hand. Campaigns,
 * rate-limit windows, the `Date` header and `x-ratelimit-reset` all depend on it.
 */
export interface EmulatorClock {
  /** Returns the current time of the emulator, in milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Advances the clock. Everything that becomes due on the way (a scheduled campaign starts, a campaign finishes) happens
   * in order, each at its own time, before this method returns.
   *
   * @param ms - How far to advance, in milliseconds; 0 or more.
   * @throws `TypeError` if `ms` is not a number, `RangeError` if it is negative or not finite.
   */
  advance(ms: number): void;
}

interface Task {
  readonly at: number;
  readonly run: (at: number) => void;
}

/** The latest time that a clock can show: the end of the year 9999. No later date has a year of four digits. */
export const LAST_MOMENT = 253_402_300_799_999;

/** The clock behind {@link EmulatorClock}, with what the engine needs. */
export class VirtualClock implements EmulatorClock {
  readonly #source: () => number;
  #advanced = 0;
  #tasks: Task[] = [];

  constructor(source: () => number) {
    this.#source = source;
  }

  now(): number {
    const now = this.#source();
    if (typeof now !== 'number' || !(now >= 0 && now + this.#advanced <= LAST_MOMENT)) {
      throw new RangeError(
        `\`options.now\` must return milliseconds since the Unix epoch, up to the year 9999, not ${String(now)}`,
      );
    }
    return now + this.#advanced;
  }

  advance(ms: number): void {
    if (this.now() + ms > LAST_MOMENT)
      throw new RangeError('`ms` must not move the clock beyond the year 9999');
    this.#advanced += ms;
    this.settle();
  }

  /** Returns to the time of the source and drops every task. */
  restart(): void {
    this.#advanced = 0;
    this.#tasks = [];
  }

  /** Calls `run` with the due time as soon as the clock has reached it. Returns a function that cancels the call. */
  at(time: number, run: (at: number) => void): () => void {
    const task: Task = { at: time, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /** Runs every task that is due. This needs no timer: everything that reads the state calls it first. */
  settle(): void {
    if (this.#tasks.length === 0) return;
    const now = this.now();
    for (;;) {
      let next: Task | undefined;
      for (const task of this.#tasks) {
        if (task.at <= now && (next === undefined || task.at < next.at)) next = task;
      }
      if (next === undefined) return;
      const due = next;
      this.#tasks = this.#tasks.filter((other) => other !== due);
      due.run(due.at);
    }
  }

  /** Waits until `ms` have passed, in real time or through {@link advance}. An abort rejects with its reason. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void) => {
        clearTimeout(timer);
        cancel();
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const onAbort = () => {
        leave(() => {
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own reason
          reject(signal?.reason);
        });
      };
      const timer = setTimeout(() => leave(resolve), ms);
      const cancel = this.at(this.now() + ms, () => leave(resolve));
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted === true) onAbort();
    });
  }
}
