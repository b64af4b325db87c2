import { sleep, type Runtime } from '../core/runtime.ts';
import { mustBe } from '../core/rules.ts';
import { unlessAborted } from '../core/unless-aborted.ts';

/** What a caller's items are read from. */
export type Source<T> = Iterable<T> | AsyncIterable<T>;

// Of what is not an object, `in` throws.
export const sourceRule = mustBe(
  'an iterable or async iterable',
  (source) => Symbol.iterator in (source as object) || Symbol.asyncIterator in (source as object),
);

/** A source that takes longer to close itself is not waited for. */
const LONGEST_CLOSING_MS = 5_000;

/** Reads a source item by item, and closes it. It may throw, take any time, or never answer. */
export class SourceReader<T> {
  readonly #iterator: Iterator<T, unknown> | AsyncIterator<T, unknown>;
  readonly #signal: AbortSignal;
  /** Whether it has to be closed: it is neither over nor being read. */
  #isOpen = true;

  /** Once the signal is aborted, nothing more is read, and a read in progress is not waited for. */
  constructor(source: Source<T>, signal: AbortSignal) {
    this.#iterator =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#signal = signal;
  }

  /** The items, each in an object, because one that is a promise would be awaited. Throws when the signal is aborted. */
  async *[Symbol.asyncIterator](): AsyncGenerator<{ readonly item: T }, void, undefined> {
    for (;;) {
      this.#signal.throwIfAborted();
      this.#isOpen = false;
      const step = this.#iterator.next();
      // Not awaited if already there: the signal could be aborted in the meantime, and the item would be lost.
      const { done, value } =
        'then' in step ? await unlessAborted(this.#signal, step, () => this.#iterator.return?.()) : step;
      if (done) return;
      this.#isOpen = true;
      yield { item: value };
    }
  }

  /** Closes the source, and waits for that a few seconds at most. */
  async close(runtime: Runtime): Promise<void> {
    if (!this.#isOpen) return;
    const closing = (async () => this.#iterator.return?.())();
    const enough = new AbortController();
    const sleeping = sleep(runtime, LONGEST_CLOSING_MS, enough.signal);
    await Promise.race([closing, sleeping]).finally(() => enough.abort());
  }
}
