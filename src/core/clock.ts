/** The longest time a timer can wait, in milliseconds; beyond it, it would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Time, for what has to wait between requests. */
export interface Clock {
  /** Milliseconds on a clock that never jumps. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
