/**
 * Reads a source as it is needed, and yields its items in arrays of `size`. An abort ends it at once, even if the source
 * never answers: what has been read is yielded, and nothing more. So it is when the source throws, which is then thrown.
 */
export async function* chunksOf<T>(
  source: Iterable<T> | AsyncIterable<T>,
  size: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<T[], void, undefined> {
  const iterator: Iterator<T, unknown> | AsyncIterator<T, unknown> =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const close = async () => iterator.return?.();
  let interrupt = (): void => undefined;
  const onAbort = () => interrupt();
  signal?.addEventListener('abort', onAbort);
  /** Whether it has to be closed; not while it is read, nor once it has ended or failed. */
  let isOpen = true;
  let failed: { readonly error: unknown } | undefined;
  let items: T[] = [];
  try {
    while (!signal?.aborted) {
      isOpen = false;
      try {
        const step = iterator.next();
        // A promise for each item: a single one for all of them would remember every race it was in.
        const result = await ('then' in step
          ? new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
              interrupt = () => {
                close().catch(() => undefined);
                resolve({ done: true, value: undefined });
              };
              step.then(resolve, reject);
            })
          : step);
        if (result.done) break;
        isOpen = true;
        if (items.push(result.value) < size) continue;
      } catch (error) {
        failed = { error };
        break;
      }
      const full = items;
      items = [];
      yield full;
    }
    if (items.length > 0) yield items;
    if (failed) throw failed.error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    if (isOpen) await close();
  }
}
