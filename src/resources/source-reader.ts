import type { Clock } from '../core/clock.ts';
import { mustBe } from '../core/rules.ts';

/** What a caller's items are read from. */
export type Source<T> = Iterable<T> | AsyncIterable<T>;

export const sourceRule = mustBe(
  'an array, or another iterable or async iterable',
  (source) =>
    typeof source === 'object' &&
    source !== null &&
    (Symbol.iterator in source || Symbol.asyncIterator in source),
);

/** A source that takes longer to close itself is not waited for. */
const LONGEST_CLOSING_MS = 5_000;

/** Reads a source item by item, and closes it. It may throw, take any time, or never answer. */
export class SourceReader<T> {
  /** Whether nothing more is read: the source has ended, has failed or was closed. */
  isOver = false;
  /** What the source threw. */
  failure: { readonly error: unknown } | undefined;
  /** What was read last, until it is taken. */
  current: { readonly item: T } | undefined;
  readonly #iterator: Iterator<T, unknown> | AsyncIterator<T, unknown>;
  /** Ends a read in progress. */
  #interrupt: (() => void) | undefined;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(source: Source<T>) {
    this.#iterator =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** Reads an item, and sets `current`. Returns false when the source is over, or is closed meanwhile. */
  async read(): Promise<boolean> {
    if (this.isOver) return false;
    try {
      const step = this.#iterator.next();
      // Not awaited if already there: the reader could be closed in the meantime, and the item would be lost.
      const { done = false, value } = 'then' in step ? await this.#unlessClosed(step) : step;
      // An item that arrives after the end is dropped.
      if (!done && !this.#hasEnded()) {
        this.current = { item: value as T };
        return true;
      }
    } catch (error) {
      if (!this.#hasEnded()) this.failure = { error };
    } finally {
      this.#interrupt = undefined;
    }
    this.isOver = true;
    return false;
  }

  /** Stops reading and closes the source, without waiting for a read in progress. */
  close(): Promise<unknown> {
    if (this.isOver) return this.#closing;
    this.isOver = true;
    const closing = (async () => this.#iterator.return?.())();
    // Not an unhandled rejection: it still reaches the code that awaits the result.
    closing.catch(() => undefined);
    if (this.#interrupt) this.#interrupt();
    else this.#closing = closing;
    return this.#closing;
  }

  /** Closes the source, and waits for that a few seconds at most. */
  async closeInTime(clock: Clock): Promise<void> {
    const enough = new AbortController();
    const sleeping = clock.sleep(LONGEST_CLOSING_MS, enough.signal);
    await Promise.race([this.close(), sleeping]).finally(() => enough.abort());
  }

  /** A promise for each item: a single one for all of them would remember every race it was in. */
  #unlessClosed(step: Promise<IteratorResult<T, unknown>>): Promise<IteratorResult<T, unknown>> {
    return new Promise((resolve, reject) => {
      this.#interrupt = () => resolve({ done: true, value: undefined });
      step.then(resolve, reject);
    });
  }

  /** A method, because the compiler would assume that `isOver` is still what it was before the `await`. */
  #hasEnded(): boolean {
    return this.isOver;
  }
}
