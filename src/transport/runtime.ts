/** Time and chance, handed in so that tests can hold them. */
export interface Runtime {
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** Milliseconds since 1970; only to read the service's dates when it does not send its own. */
  readonly wallNow: () => number;
  /** Calls back after so many milliseconds; returns the cancellation. */
  readonly setTimer: (ms: number, callback: () => void) => () => void;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** The real ones. */
export const systemRuntime: Runtime = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimer: (ms, callback) => {
    // Timers take whole milliseconds and would round down, to fire before it is time.
    const timer = setTimeout(callback, Math.ceil(ms));
    return () => {
      clearTimeout(timer);
    };
  },
  random: () => Math.random(),
};
