/** Time as it passes, whatever timers and clocks a test has replaced: signals that time out are not among these. */
export interface RealTime {
  /** Resolves after so many milliseconds, or once the signal is aborted. Does not keep the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Keeps the process alive. Returns what ends that. */
  keepAlive(): () => void;
}

export const realTime: RealTime = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const timeout = AbortSignal.timeout(Math.ceil(ms));
      const end = () => {
        timeout.removeEventListener('abort', end);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      timeout.addEventListener('abort', end);
      signal?.addEventListener('abort', end);
    }),
  keepAlive() {
    // Where there is none, nothing ends a process early either.
    if (typeof MessageChannel === 'undefined') return () => undefined;
    const { port1 } = new MessageChannel();
    port1.onmessage = () => undefined;
    return () => port1.close();
  },
};
