/** A database that cannot answer now, and soon can: another connection is writing, or the server restarts. */

/** When to try again, and how to wait until then. */
export interface Patience {
  /** Whether a failure is for now, and the function may be run again. */
  readonly isPassing: (error: unknown) => boolean;
  /** Milliseconds between two tries. */
  readonly lookMs: number;
  /** Milliseconds for which it is tried in all. */
  readonly longestMs: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Runs a function, again while it fails only for now: without blocking this process meanwhile. */
export async function patiently<T>(
  run: () => T | Promise<T>,
  { isPassing, lookMs, longestMs, sleep }: Patience,
): Promise<T> {
  // Measured, not counted: a database may wait by itself, too.
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
