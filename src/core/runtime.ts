/** Time, timers, randomness and callers' signals: everything that tests replace. */
import { abortWatcher, type OnAbort } from './abort-watcher.ts';
import { isolated } from './isolated.ts';
import { isWorkerd } from './platform.ts';
import { steady } from './steady-time.ts';

/** The longest delay of a timer, in milliseconds; with a longer one it would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A longer wait than this, whoever asks for it, is taken for a wrong clock or a misread number. */
export const MAX_BELIEVED_WAIT_MS = 3_600_000;

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
  /** Watches a caller's signal, with one listener for all calls of this runtime. */
  readonly onAbort: OnAbort;
  /** Whether a timer or a response wakes only the request it belongs to; one that waits for nothing is ended (workerd). */
  readonly isolatesRequests?: () => boolean;
}

/** The real clocks, timers and random numbers, but for the parts given. Each client or throttle has a clock of its own. */
export const createRuntime = (parts: Partial<Runtime> = {}): Runtime => ({
  now: isolated(parts).now ?? steady({ now: () => performance.now(), wallNow: () => Date.now() }),
  wallNow: () => Date.now(),
  setTimer: (ms, callback) => {
    // Timers round down to whole milliseconds, and would fire too early.
    const timer = setTimeout(callback, Math.ceil(ms));
    return () => {
      clearTimeout(timer);
    };
  },
  random: () => Math.random(),
  onAbort: isolated(parts).onAbort ?? abortWatcher(),
  isolatesRequests: isWorkerd,
  ...parts,
});

/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as the signal is aborted. */
export const sleep = ({ setTimer, onAbort }: Runtime, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stopTimer = setTimer(ms, () => {
      stopWatching();
      resolve();
    });
    const stopWatching = onAbort(signal, (reason) => {
      stopTimer();
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever the caller's reason is
      reject(reason);
    });
  });
