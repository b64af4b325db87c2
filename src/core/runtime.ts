import { steady } from './steady-time.ts';

/** Time and randomness, injected so that tests control them. */
export interface Runtime {
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Milliseconds since 1970; for the dates of responses that have no `Date` of their own, and for deadlines. */
  readonly wallNow: () => number;
  /** Calls back after `ms` milliseconds; returns a function that cancels the timer. */
  readonly setTimer: (ms: number, callback: () => void) => () => void;
  /** A random number from 0 up to 1. */
  readonly random: () => number;
  /** Whether a timer or a response wakes only the request it belongs to; one that waits for nothing is ended (workerd). */
  readonly isolatesRequests?: () => boolean;
}

/** Whether this is workerd. */
export const isWorkerd = (globals: { readonly navigator?: { readonly userAgent: string } } = globalThis) =>
  globals.navigator?.userAgent === 'Cloudflare-Workers';

/** The real clocks, timers and random numbers, but for the parts given. Each client or throttle has a clock of its own. */
export const createRuntime = (parts: Partial<Runtime> = {}): Runtime => ({
  now: parts.now ?? steady(() => performance.now()),
  wallNow: () => Date.now(),
  setTimer: (ms, callback) => {
    // Timers round down to whole milliseconds, and would fire too early.
    const timer = setTimeout(callback, Math.ceil(ms));
    return () => {
      clearTimeout(timer);
    };
  },
  random: () => Math.random(),
  isolatesRequests: isWorkerd,
  ...parts,
});
