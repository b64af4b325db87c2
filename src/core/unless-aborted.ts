import { tell } from './observers.ts';

/**
 * What the promise resolves to. When the signal is aborted before, its reason is thrown and `cancel` called: what is
 * waited for need not end by itself.
 */
export const unlessAborted = <T>(
  signal: AbortSignal,
  promise: Promise<T>,
  cancel: (reason: unknown) => unknown,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      tell(cancel, () => signal.reason as unknown);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort);
    const stop = () => signal.removeEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(stop);
  });
