import type { VirtualClock } from '../../clock.ts';

/** No timer runs longer than this: one of more than 24 days would fire at once. */
const LONGEST_MS = 86_400_000;

/**
 * Calls back at a time of the emulator's clock, even if nothing asks the emulator for anything until then: unlike what a
 * request sees, a post has to be made on its own. A timer does not keep the process running.
 */
export class AlarmClock {
  readonly #clock: VirtualClock;
  readonly #due = new Set<{ readonly at: number }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Returns a function that cancels the call. */
  at(time: number, run: (at: number) => void): () => void {
    const entry = { at: time };
    this.#due.add(entry);
    const cancel = this.#clock.at(time, (at) => {
      this.#due.delete(entry);
      run(at);
    });
    this.#arm();
    return () => {
      this.#due.delete(entry);
      cancel();
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#due.clear();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#due.size === 0) return;
    const now = this.#clock.now();
    const next = Math.min(...[...this.#due].map(({ at }) => at));
    this.#timer = setTimeout(
      () => {
        this.#clock.settle();
        // With a time source that stands still, only `advance` gets further.
        if (this.#clock.now() > now) this.#arm();
      },
      Math.min(Math.max(1, next - now), LONGEST_MS),
    );
    (this.#timer as { unref?: () => void }).unref?.();
    // Where a timer is a number.
    (globalThis as { Deno?: { unrefTimer(timer: unknown): void } }).Deno?.unrefTimer(this.#timer);
  }
}
