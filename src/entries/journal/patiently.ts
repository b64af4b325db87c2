/** Retries a database that is busy for a moment: another connection writes, or the server restarts. */

/** When to retry, and how to wait between two tries. */
export interface Patience {
  /** True for an error that passes, so that the function may run again. */
  readonly isPassing: (error: unknown) => boolean;
  /** Milliseconds between two tries. */
  readonly lookMs: number;
  /** Milliseconds from the first try after which an error is final. */
  readonly longestMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Runs a function, and runs it again while its error is a passing one. Does not block the process. */
export async function patiently<T>(
  run: () => T | Promise<T>,
  { isPassing, lookMs, longestMs, sleep }: Patience,
): Promise<T> {
  // Measured by the clock, because the database may wait by itself too.
  const startedAt = performance.now();
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (performance.now() - startedAt >= longestMs || !isPassing(error)) throw error;
      await sleep(lookMs);
    }
  }
}
