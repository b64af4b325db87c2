import type { VirtualClock } from './clock.ts';

/** The longest timer, in milliseconds. A timer of more than 24 days would fire at once. */
const LONGEST_MS = 86_400_000;

/**
 * Settles the emulator's clock when a task of some kinds is due, even without a request, because a post or an email must
 * happen on its own. The timer does not keep the process alive.
 */
export class AlarmClock {
  readonly #clock: VirtualClock;
  readonly #kinds: readonly string[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(clock: VirtualClock, ...kinds: readonly string[]) {
    this.#clock = clock;
    this.#kinds = kinds;
    clock.onResume(() => this.set());
  }

  /** Sets the timer for the next task. Call it after each new task. */
  set(): void {
    clearTimeout(this.#timer);
    const next = this.#clock.nextOf(this.#kinds);
    if (next === undefined || this.#isStopped) return;
    const now = this.#clock.now();
    this.#timer = setTimeout(
      () => {
        this.#clock.settle();
        // Sets no timer if the time source stands still: then only `advance` makes the task due.
        if (this.#clock.now() > now) this.set();
      },
      Math.min(Math.max(1, next - now), LONGEST_MS),
    );
    (this.#timer as { unref?: () => void }).unref?.();
    // In Deno, a timer is a number.
    (globalThis as { Deno?: { unrefTimer(timer: unknown): void } }).Deno?.unrefTimer(this.#timer);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
