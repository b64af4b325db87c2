import type { Clock } from '../core/clock.ts';
import type { Runtime } from '../core/runtime.ts';

/** The clock that resources use to wait. */
export const clockOf = ({ now, setTimer }: Runtime): Clock => ({
  now,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const onAbort = () => {
        stopTimer();
        reject(signal?.reason as Error);
      };
      const stopTimer = setTimer(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    }),
});
