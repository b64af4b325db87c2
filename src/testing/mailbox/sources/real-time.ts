/** Real time, also in a test with fake timers: those do not replace `AbortSignal.timeout`. */
export interface RealTime {
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Does not keep the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Keeps the process alive. Returns the function that ends this. */
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
    // Runtimes without MessageChannel do not end a process early.
    if (typeof MessageChannel === 'undefined') return () => undefined;
    const { port1 } = new MessageChannel();
    port1.onmessage = () => undefined;
    return () => port1.close();
  },
};
