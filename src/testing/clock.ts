/**
 * The emulator's idea of time. It runs by itself with real time (or with the `now` option) and can be moved on by
 * hand; campaigns, rate-limit windows, the `Date` header and `x-ratelimit-reset` all follow it.
 */
export interface EmulatorClock {
  /** The emulator's present, in milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Moves the clock on. Everything that falls due on the way (a scheduled campaign starting, a campaign finishing)
   * happens, in order and at its own time, before this returns.
   *
   * @param ms - How far to move, in milliseconds; zero or more.
   * @throws RangeError when `ms` is negative or not a finite number.
   */
  advance(ms: number): void;
}

interface Task {
  readonly at: number;
  readonly run: (at: number) => void;
}

/** The clock itself: {@link EmulatorClock} and what the engine needs beside it. */
export class VirtualClock implements EmulatorClock {
  readonly #source: () => number;
  #advanced = 0;
  #tasks: Task[] = [];

  constructor(source: () => number) {
    this.#source = source;
  }

  now(): number {
    return this.#source() + this.#advanced;
  }

  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0)
      throw new RangeError('The clock only moves forward, by a number of ms');
    this.#advanced += ms;
    this.settle();
  }

  /** Back to the time source's own time, with nothing planned. */
  restart(): void {
    this.#advanced = 0;
    this.#tasks = [];
  }

  /** Has `run` called with its own due time once the clock has reached it. Returns a function that calls it off. */
  at(time: number, run: (at: number) => void): () => void {
    const task: Task = { at: time, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /** Runs what is due. Nothing here needs a timer: whoever looks at the state settles it first. */
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

  /** Waits until `ms` have passed, by themselves or through {@link advance}; an abort rejects with its reason. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void) => {
        clearTimeout(timer);
        callOff();
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const onAbort = () => {
        leave(() => {
          // The reason is whatever the caller aborted with, and is passed on as it is.
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
          reject(signal?.reason);
        });
      };
      const timer = setTimeout(() => leave(resolve), ms);
      const callOff = this.at(this.now() + ms, () => leave(resolve));
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted === true) onAbort();
    });
  }
}
