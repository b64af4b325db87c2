import type { Runtime } from '../../core/runtime.ts';

/**
 * Calls back when the time is over; the returned function stops the timer. A process that was held up runs its timers
 * before it reads its sockets: a response that is there already counts as in time.
 */
export function timeLimit(
  { setTimer, afterReading }: Pick<Runtime, 'setTimer' | 'afterReading'>,
  ms: number,
  over: () => void,
): () => void {
  let isStopped = false;
  const stopTimer = setTimer(ms, () =>
    afterReading(() => {
      if (!isStopped) over();
    }),
  );
  return () => {
    isStopped = true;
    stopTimer();
  };
}
