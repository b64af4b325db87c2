import { builtin, differs } from './stopped.ts';

/** Real time, also in a test with fake timers. */
export interface RealTime {
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Does not keep the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Keeps the process alive. Returns the function that ends this. */
  keepAlive(): () => void;
}

type Sleep = (
  ms: number,
  value: undefined,
  options: { ref: boolean; signal: AbortSignal },
) => Promise<unknown>;

/** Node's own timer. Where fake timers replaced it, and elsewhere, `AbortSignal.timeout`: they leave that alone. */
function timer(ms: number, signal: AbortSignal): Promise<unknown> {
  const { setTimeout: sleep } = (builtin('node:timers/promises') ?? {}) as { readonly setTimeout?: Sleep };
  if (sleep !== undefined && !differs(sleep, /new Timeout\(/))
    return sleep(ms, undefined, { ref: false, signal });
  return new Promise<void>((resolve) => {
    const end = () => {
      timeout.removeEventListener('abort', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timeout = AbortSignal.timeout(ms);
    timeout.addEventListener('abort', end);
    signal.addEventListener('abort', end);
  });
}

export const realTime: RealTime = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const ending = new AbortController();
      const end = () => {
        ending.abort();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      signal?.addEventListener('abort', end);
      timer(Math.ceil(ms), ending.signal).then(end, end);
    }),
  keepAlive() {
    // Runtimes without MessageChannel do not end a process early.
    if (typeof MessageChannel === 'undefined') return () => undefined;
    const { port1 } = new MessageChannel();
    port1.onmessage = () => undefined;
    return () => port1.close();
  },
};
