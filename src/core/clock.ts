/** The longest delay of a timer, in milliseconds; with a longer one it would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A longer wait than this, whoever asks for it, is taken for a wrong clock or a misread number. */
export const MAX_BELIEVED_WAIT_MS = 3_600_000;

/** The time, and what may end it early, for code that waits between requests. */
export interface Clock {
  /** Starts to measure: the function returned says how many milliseconds have passed. */
  stopwatch(): () => number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back when the signal is aborted, or at once if it is, until the function returned is called. */
  onAbort(signal: AbortSignal | undefined, aborted: (reason: unknown) => void): () => void;
}
