import type { VirtualClock } from '../../clock.ts';

/** No timer runs longer than this: one of more than 24 days would fire at once. */
const LONGEST_MS = 86_400_000;

/**
 * Wakes the emulator's clock when something of one kind is due, even if nothing asks the emulator for anything until then:
 * unlike what a request sees, a post has to be made on its own. A timer does not keep the process running.
 */
export class AlarmClock {
  readonly #clock: VirtualClock;
  readonly #kind: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(clock: VirtualClock, kind: string) {
    this.#clock = clock;
    this.#kind = kind;
    clock.onResume(() => this.set());
  }

  /** Looks again what is due next. To be called whenever something is planned. */
  set(): void {
    clearTimeout(this.#timer);
    const next = this.#clock.nextOf(this.#kind);
    if (next === undefined || this.#isStopped) return;
    const now = this.#clock.now();
    this.#timer = setTimeout(
      () => {
        this.#clock.settle();
        // With a time source that stands still, only `advance` gets further.
        if (this.#clock.now() > now) this.set();
      },
      Math.min(Math.max(1, next - now), LONGEST_MS),
    );
    (this.#timer as { unref?: () => void }).unref?.();
    // Where a timer is a number.
    (globalThis as { Deno?: { unrefTimer(timer: unknown): void } }).Deno?.unrefTimer(this.#timer);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
