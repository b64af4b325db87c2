/**
 * Those who wait for something to arrive, such as an email: nobody asks again and again. Waiting is in real time, and
 * survives a reset. Where nobody waits, an arrival costs nothing.
 */
import { whole } from './checks/kind.ts';

/** How long somebody waits, in milliseconds. */
export const waitMs = whole(0, 60_000);

/** Everybody who waits for something of one kind. */
export class Waiters<T> {
  readonly #waiting = new Set<(item: T) => void>();

  /** How many are waiting. */
  get count(): number {
    return this.#waiting.size;
  }

  /** Tells everybody that something has arrived. */
  tell(item: T): void {
    for (const tell of this.#waiting) tell(item);
  }

  /** Resolves with the first thing that fits; with nothing once `ms` have passed, or the signal is aborted. */
  wait(fits: (item: T) => boolean, ms: number, signal?: AbortSignal): Promise<T[]> {
    if (ms === 0 || signal?.aborted === true) return Promise.resolve([]);
    return new Promise((resolve) => {
      const leave = (found: T[]) => {
        clearTimeout(timer);
        this.#waiting.delete(tell);
        signal?.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const giveUp = () => leave([]);
      const tell = (item: T) => {
        if (fits(item)) leave([item]);
      };
      const timer = setTimeout(giveUp, ms);
      this.#waiting.add(tell);
      signal?.addEventListener('abort', giveUp);
    });
  }
}
