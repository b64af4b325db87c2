import type { Clock } from '../core/clock.ts';
import type { Runtime } from '../core/runtime.ts';
import { stopwatch } from '../core/steady-time.ts';

/** The clock that resources use to wait. */
export function clockOf(runtime: Runtime, onAbort: Clock['onAbort']): Clock {
  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((resolve, reject) => {
      const stopTimer = runtime.setTimer(ms, () => {
        stopWatching();
        resolve();
      });
      const stopWatching = onAbort(signal, (reason) => {
        stopTimer();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the caller's reason is
        reject(reason);
      });
    });
  return { stopwatch: () => stopwatch(runtime), sleep, onAbort };
}
