/**
 * Waits for items such as emails, without polling. The time is real time. A reset does not end a wait. Without waiters, an
 * arrival costs nothing.
 * `common` may import `declare`.
 */
import { whole } from '../declare/kind.ts';
import { realTime } from '../../kit/real-time.ts';

/** The time to wait, in milliseconds. */
export const waitMs = whole(0, 60_000);

/** The waiters for items of one kind. A waiter may wait for one subject only, such as the address of a recipient. */
export class Waiters<T> {
  readonly #waiting = new Map<string | undefined, Set<(item: T) => void>>();
  #count = 0;

  /** The number of waiters. */
  get count(): number {
    return this.#count;
  }

  /** Passes an item to the waiters: those without a subject, and those for the subject `about`. */
  tell(item: T, about?: string): void {
    for (const subject of about === undefined ? [undefined] : [undefined, about])
      for (const tell of this.#waiting.get(subject) ?? []) tell(item);
  }

  /** Resolves with the first item that fits; with an empty array after `ms`, unless it is `Infinity`, or after an abort. */
  wait(fits: (item: T) => boolean, ms: number, signal?: AbortSignal, about?: string): Promise<T[]> {
    if (ms === 0 || signal?.aborted === true) return Promise.resolve([]);
    return new Promise((resolve) => {
      const others = this.#waiting.get(about) ?? new Set();
      const leave = (found: T[]) => {
        ended.abort();
        release();
        this.#count -= 1;
        others.delete(tell);
        if (others.size === 0) this.#waiting.delete(about);
        signal?.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const giveUp = () => {
        if (others.has(tell)) leave([]);
      };
      const tell = (item: T) => {
        if (fits(item)) leave([item]);
      };
      const ended = new AbortController();
      const release = ms === Infinity ? () => undefined : realTime.keepAlive();
      if (ms !== Infinity) void realTime.sleep(ms, ended.signal).then(giveUp);
      this.#count += 1;
      this.#waiting.set(about, others.add(tell));
      signal?.addEventListener('abort', giveUp);
    });
  }
}

/** Numbers the items that arrive, and wakes the waiters. Survives a reset, so that no number is used twice. */
export class Arrivals<T> extends Waiters<T> {
  /** The number of the newest item. */
  last = 0;
}
