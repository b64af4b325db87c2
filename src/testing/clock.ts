import { check } from './checks/argument.ts';
import { type Kind } from './checks/kind.ts';

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
  /**
   * Advances the clock to a time. What becomes due on the way happens as with `advance`. The clock then goes on from
   * there, unless it is paused.
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

/** What is to happen at a time. It is data where it belongs to the state of the service, so that a snapshot can hold it. */
interface Task {
  readonly at: number;
  readonly does: { readonly kind: string; readonly data: unknown } | ((at: number) => void);
}

/** What is planned, as a snapshot has it: in the order in which it happens. */
export interface SavedTask {
  readonly at: number;
  readonly kind: string;
  readonly data: unknown;
}

/** The latest time that a clock can show: the end of the year 9999. No later date has a year of four digits. */
export const LAST_MOMENT = 253_402_300_799_999;

/** The clock behind {@link EmulatorClock}, with what the engine needs. */
export class VirtualClock implements EmulatorClock {
  readonly #source: () => number;
  #advanced = 0;
  /** What the source showed when the clock was paused. */
  #pausedAt: number | undefined;
  readonly #onResume: (() => void)[] = [];
  /** In the order of time; those of one time in the order in which they were planned. */
  readonly #tasks: Task[] = [];
  readonly #handlers = new Map<string, { dataKind: Kind; happen: (data: never, at: number) => void }>();

  constructor(source: () => number) {
    this.#source = source;
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

  /** Calls back whenever the clock goes on after a pause: timers have been set while it stood still. */
  onResume(wake: () => void): void {
    this.#onResume.push(wake);
  }

  /** Says what happens when something of this kind is due. `dataKind` is what its data has to be. */
  on(kind: string, dataKind: Kind, happen: (data: never, at: number) => void): void {
    this.#handlers.set(kind, { dataKind, happen });
  }

  /** Plans something: as soon as the clock has reached the time, it happens, with the due time. */
  plan(at: number, kind: string, data: unknown): void {
    this.#add({ at, does: { kind, data } });
  }

  /** When something of this kind is next due; `undefined` if nothing is planned. */
  nextOf(kind: string): number | undefined {
    return this.#tasks.find(({ does }) => typeof does === 'object' && does.kind === kind)?.at;
  }

  /** Runs every task that is due. This needs no timer: everything that reads the state calls it first. */
  settle(): void {
    if (this.#tasks.length === 0) return;
    const now = this.now();
    for (;;) {
      const next = this.#tasks[0];
      if (next === undefined || next.at > now) return;
      this.#tasks.shift();
      if (typeof next.does === 'function') next.does(next.at);
      else this.#handlers.get(next.does.kind)?.happen(next.does.data as never, next.at);
    }
  }

  save(): { readonly now: number; readonly planned: readonly SavedTask[] } {
    return {
      now: this.now(),
      // What never happens needs no place.
      planned: this.#tasks.flatMap(({ at, does }) =>
        typeof does === 'function' || at === Infinity ? [] : [{ at, ...does }],
      ),
    };
  }

  load({ now, planned }: { now: number; planned: readonly SavedTask[] }, name: string): void {
    this.#advanced = now - (this.#pausedAt ?? this.#source());
    for (const [index, { at, kind, data }] of planned.entries()) {
      const known = this.#handlers.get(kind);
      if (known === undefined) throw new RangeError(`\`${name}.planned[${index}].kind\` is unknown: ${kind}`);
      check(known.dataKind, data, `${name}.planned[${index}].data`);
      this.plan(at, kind, data);
    }
  }

  #add(task: Task): void {
    let at = this.#tasks.length;
    while (at > 0 && (this.#tasks[at - 1]?.at ?? 0) > task.at) at -= 1;
    this.#tasks.splice(at, 0, task);
  }

  /** Waits until `ms` have passed, in real time or through {@link advance}. An abort rejects with its reason. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void) => {
        clearTimeout(timer);
        const index = this.#tasks.indexOf(task);
        if (index >= 0) this.#tasks.splice(index, 1);
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
      const task: Task = { at: this.now() + ms, does: () => leave(resolve) };
      this.#add(task);
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted === true) onAbort();
    });
  }
}
