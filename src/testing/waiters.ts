/**
 * Those who wait for something to arrive, such as an email: nobody asks again and again. Waiting is in real time, and
 * survives a reset. Where nobody waits, an arrival costs nothing.
 */
import { whole } from './checks/kind.ts';

/** How long somebody waits, in milliseconds. */
export const waitMs = whole(0, 60_000);

/** Everybody who waits for something of one kind. Who waits for what is about one person is told of nothing else. */
export class Waiters<T> {
  readonly #waiting = new Map<string | undefined, Set<(item: T) => void>>();
  #count = 0;

  /** How many are waiting. */
  get count(): number {
    return this.#count;
  }

  /** Says that something has arrived, which may be about somebody. */
  tell(item: T, about?: string): void {
    for (const subject of about === undefined ? [undefined] : [undefined, about])
      for (const tell of this.#waiting.get(subject) ?? []) tell(item);
  }

  /** Resolves with the first thing that fits; with nothing once `ms` have passed, if not `Infinity`, or the signal is aborted. */
  wait(fits: (item: T) => boolean, ms: number, signal?: AbortSignal, about?: string): Promise<T[]> {
    if (ms === 0 || signal?.aborted === true) return Promise.resolve([]);
    return new Promise((resolve) => {
      const others = this.#waiting.get(about) ?? new Set();
      const leave = (found: T[]) => {
        clearTimeout(timer);
        this.#count -= 1;
        others.delete(tell);
        if (others.size === 0) this.#waiting.delete(about);
        signal?.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const giveUp = () => leave([]);
      const tell = (item: T) => {
        if (fits(item)) leave([item]);
      };
      const timer = ms === Infinity ? undefined : setTimeout(giveUp, ms);
      this.#count += 1;
      this.#waiting.set(about, others.add(tell));
      signal?.addEventListener('abort', giveUp);
    });
  }
}
