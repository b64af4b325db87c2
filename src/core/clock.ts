/** The longest delay of a timer, in milliseconds; with a longer one it would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** The time, for code that waits between requests. */
export interface Clock {
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
