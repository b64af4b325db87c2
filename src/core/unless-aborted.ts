import { ignoringFailure } from './tried.ts';

/**
 * Waits for a promise until the signal is aborted: then throws its reason and calls `cancel`, because the operation may
 * not end by itself.
 */
export const unlessAborted = <T>(
  signal: AbortSignal,
  promise: Promise<T>,
  cancel: (reason: unknown) => unknown,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      ignoringFailure(() => cancel(signal.reason));
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort);
    const stop = () => signal.removeEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(stop);
  });
