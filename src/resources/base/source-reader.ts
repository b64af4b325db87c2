import { sleep, type Runtime } from '../../core/runtime.ts';
import { mustBe } from '../../core/rules.ts';
import { unlessAborted } from '../../core/abort-watcher.ts';

/** The source of a caller's items. */
export type Source<T> = Iterable<T> | AsyncIterable<T>;

// `in` throws for a value that is not an object.
export const sourceRule = mustBe(
  'an array, or another iterable or async iterable',
  (source) => Symbol.iterator in (source as object) || Symbol.asyncIterator in (source as object),
);

/** The longest wait for a source to close itself, in milliseconds. */
const LONGEST_CLOSING_MS = 5_000;

/** Reads a source item by item, and closes it. The source may throw, be slow, or never answer. */
export class SourceReader<T> {
  readonly #iterator: Iterator<T, unknown> | AsyncIterator<T, unknown>;
  readonly #signal: AbortSignal;
  /** Whether it has to be closed: it has not ended, and no read is in progress. */
  #isOpen = true;

  /** The signal's abort ends reading, also a read in progress. */
  constructor(source: Source<T>, signal: AbortSignal) {
    this.#iterator =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#signal = signal;
  }

  /**
   * The items, each in an object, because `await` would resolve an item that is a promise. Throws when the signal is
   * aborted.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<{ readonly item: T }, void, undefined> {
    for (;;) {
      this.#signal.throwIfAborted();
      this.#isOpen = false;
      const step = this.#iterator.next();
      // A present item is not awaited: an abort of the signal during the wait would lose it.
      const { done, value } =
        'then' in step ? await unlessAborted(this.#signal, step, () => this.#iterator.return?.()) : step;
      if (done) return;
      this.#isOpen = true;
      yield { item: value };
    }
  }

  /** Closes the source, and waits at most a few seconds for it. */
  async close(runtime: Runtime): Promise<void> {
    if (!this.#isOpen) return;
    const closing = (async () => this.#iterator.return?.())();
    const enough = new AbortController();
    const sleeping = sleep(runtime, LONGEST_CLOSING_MS, enough.signal);
    await Promise.race([closing, sleeping]).finally(() => enough.abort());
  }
}
