/** Time, timers, randomness and callers' signals, which tests replace. */
import { monotonicMs } from '../kit/monotonic.ts';
import { abortWatcher, type OnAbort } from './abort-watcher.ts';
import { afterTwoTurns, isWorkerd } from './platform.ts';
import { steadyTimers } from './steady-time.ts';

/** The longest delay of a timer, in milliseconds; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** The longest credible wait, in milliseconds; a longer one comes from a wrong clock or a misread number. */
export const MAX_BELIEVED_WAIT_MS = 3_600_000;

/** Time and randomness, injected so that tests control them. */
export interface Runtime {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Milliseconds since 1970; for responses without a `Date` header, and for deadlines. */
  readonly wallNow: () => number;
  /** Calls back after `ms` milliseconds; returns a function that cancels the timer. */
  readonly setTimer: (ms: number, callback: () => void) => () => void;
  /** Calls back when the event loop has read what its sockets hold; at once where that cannot be told. */
  readonly afterReading: (callback: () => void) => void;
  /** A random number from 0 up to 1. */
  readonly random: () => number;
  /** Watches a caller's signal, with one listener for all calls of this runtime. */
  readonly onAbort: OnAbort;
  /** Whether a timer or a response wakes only its own request; the runtime ends a request without either (workerd). */
  readonly isolatesRequests?: () => boolean;
}

/** The real clocks, timers and random numbers, overridden by `parts`. Each client or throttle has its own clock. */
export const createRuntime = (parts: Partial<Runtime> = {}): Runtime => {
  const wallNow = () => Date.now();
  const { now, timerStarts } = steadyTimers({ now: monotonicMs, wallNow });
  const runtime: Runtime = {
    now,
    wallNow,
    setTimer: (ms, callback) => {
      const timerFires = timerStarts(ms);
      // Timers round down to whole milliseconds, and would fire too early.
      const timer = setTimeout(() => {
        timerFires();
        callback();
      }, Math.ceil(ms));
      return () => {
        clearTimeout(timer);
      };
    },
    afterReading: afterTwoTurns,
    random: () => Math.random(),
    onAbort: abortWatcher((callback) => {
      // A request that is isolated may end before its timer.
      if (runtime.isolatesRequests?.()) callback();
      else runtime.setTimer(0, callback);
    }),
    isolatesRequests: isWorkerd,
    ...parts,
  };
  return runtime;
};

/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as the signal is aborted. */
export const sleep = ({ setTimer, onAbort }: Runtime, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stopTimer = setTimer(ms, () => {
      stopWatching();
      resolve();
    });
    const stopWatching = onAbort(signal, (reason) => {
      stopTimer();
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's reason may be any value
      reject(reason);
    });
  });
