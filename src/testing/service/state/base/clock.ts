import type { State } from './state.ts';

/**
 * The time of the emulator. It follows real time (or the `now` option) and can be advanced by hand. Campaigns,
 * rate-limit windows, the `Date` header and `x-ratelimit-reset` all depend on it.
 */
export interface EmulatorClock {
  /** Returns the current time of the emulator, in milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Advances the clock. All events that become due on the way (a scheduled campaign starts, a campaign finishes) happen
   * in order, each at its own time, before this method returns.
   *
   * @param ms - How far to advance, in milliseconds; 0 or more.
   * @throws `TypeError` if `ms` is not a number, `RangeError` if it is negative or not finite.
   */
  advance(ms: number): void;
  /**
   * Advances the clock to a time. Events that become due on the way happen as with `advance`. The clock then goes on from
   * that time, unless it is paused.
   *
   * @param now - The time, in milliseconds since the Unix epoch.
   * @throws `TypeError` if `now` is not a number, `RangeError` if it is earlier than the clock's own time, or later than
   * the year 9999.
   */
  set(now: number): void;
  /** Lets the clock stand still: from now on only `advance` and `set` move it. */
  pause(): void;
  /** Lets a paused clock go on, from the time that it shows. */
  resume(): void;
  /** Whether the clock is paused. */
  readonly isPaused: boolean;
}

/** An event that is planned for a time, as plain data. */
interface Task {
  readonly at: number;
  readonly kind: string;
  readonly data: unknown;
}

/** A response that waits. It belongs to its request, and is not part of the state. */
interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** The latest time that a clock can show: the end of the year 9999. No later date has a year of four digits. */
export const LAST_MOMENT = 253_402_300_799_999;

/** The clock behind {@link Emulator.Clock}, with what the engine needs. */
export class VirtualClock implements EmulatorClock {
  readonly #source: () => number;
  #advanced: number;
  /** The time of the source at the pause. */
  #pausedAt: number | undefined;
  readonly #onResume: (() => void)[] = [];
  /** Sorted by time; tasks of the same time are in the order of planning. */
  readonly #tasks: Task[];
  readonly #sleepers = new Set<Sleeper>();
  readonly #handlers = new Map<string, (data: never, at: number) => void>();

  /** @param from - the first time of the clock. By default, the time of the source. */
  constructor(source: () => number, state: State, from?: number) {
    this.#source = source;
    this.#tasks = state.part('clock', [] as Task[]);
    this.#advanced = from === undefined ? 0 : from - source();
  }

  now(): number {
    const now = this.#pausedAt ?? this.#source();
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

  set(now: number): void {
    const before = this.now();
    if (now < before) throw new RangeError(`\`now\` must not be before the time of the clock, ${before}`);
    this.advance(now - before);
  }

  pause(): void {
    this.now();
    this.#pausedAt ??= this.#source();
  }

  resume(): void {
    if (this.#pausedAt === undefined) return;
    this.#advanced -= this.#source() - this.#pausedAt;
    this.#pausedAt = undefined;
    for (const wake of this.#onResume) wake();
  }

  get isPaused(): boolean {
    return this.#pausedAt !== undefined;
  }

  /** Calls `wake` after each pause, so that the caller can set the timers that wait for the clock again. */
  onResume(wake: () => void): void {
    this.#onResume.push(wake);
  }

  /** Sets the handler of tasks of a kind. */
  on(kind: string, happen: (data: never, at: number) => void): void {
    this.#handlers.set(kind, happen);
  }

  /** Plans a task, as plain data. When the clock reaches the time, the handler gets the data and this time. */
  plan(at: number, kind: string, data: unknown): void {
    if (at === Infinity) return;
    let place = this.#tasks.length;
    while (place > 0 && (this.#tasks[place - 1]?.at ?? 0) > at) place -= 1;
    this.#tasks.splice(place, 0, { at, kind, data });
  }

  /** The time of the next task of these kinds; `undefined` if none is planned. */
  nextOf(kinds: readonly string[]): number | undefined {
    return this.#tasks.find(({ kind }) => kinds.includes(kind))?.at;
  }

  /** Runs every due task. Needs no timer, because every reader of the state calls it first. */
  settle(): void {
    if (this.#tasks.length + this.#sleepers.size === 0) return;
    const now = this.now();
    for (let next = this.#tasks[0]; next !== undefined && next.at <= now; next = this.#tasks[0]) {
      this.#tasks.shift();
      this.#handlers.get(next.kind)?.(next.data as never, next.at);
    }
    for (const { at, wake } of [...this.#sleepers]) if (at <= now) wake();
  }

  /** Waits until `ms` have passed, in real time or through {@link advance}. An abort rejects with its reason. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void) => {
        clearTimeout(timer);
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const onAbort = () => {
        leave(() => {
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason
          reject(signal?.reason);
        });
      };
      const timer = setTimeout(() => leave(resolve), ms);
      const sleeper: Sleeper = { at: this.now() + ms, wake: () => leave(resolve) };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted === true) onAbort();
    });
  }
}
