/** Time, for what has to wait between requests. */
export interface Clock {
  /** Milliseconds on a clock that never jumps. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with an `AbortedError` as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
