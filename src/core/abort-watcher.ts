/** Listens to callers' signals, which may outlive thousands of calls. */
import { tried } from './tried.ts';

/** Calls back when the signal is aborted, or at once if it already is. The returned function stops the watch. */
export type OnAbort = (signal: AbortSignal | undefined, aborted: (reason: unknown) => void) => () => void;

interface Watch extends EventListenerObject {
  readonly callbacks: Set<(reason: unknown) => void>;
}

const stopListening = (signal: AbortSignal, watch: Watch) =>
  tried(() => signal.removeEventListener('abort', watch));

/** Calls all callbacks once and drops them: a signal is aborted only once. */
function watchOf(signal: AbortSignal, reason: () => unknown): Watch {
  const callbacks: Watch['callbacks'] = new Set();
  const watch: Watch = {
    callbacks,
    handleEvent: () => {
      const called = [...callbacks];
      callbacks.clear();
      stopListening(signal, watch);
      called.forEach((callback) => callback(reason()));
    },
  };
  return watch;
}

/**
 * Creates a function that watches signals, with one listener per signal for all its calls. With a listener per call,
 * Node would warn of a leak after the tenth. The end of a call removes its callback. A signal may be any object with
 * the same shape: an error that it throws must not prevent the end of a call.
 */
export function abortWatcher(): OnAbort {
  const watched = new WeakMap<AbortSignal, Watch>();
  return (signal, aborted) => {
    if (!signal) return () => undefined;
    const reason = () => tried<unknown>(() => signal.reason);
    const watch = watched.get(signal) ?? watchOf(signal, reason);
    watched.set(signal, watch);
    const { callbacks } = watch;
    if (signal.aborted) aborted(reason());
    else {
      if (callbacks.size === 0) signal.addEventListener('abort', watch);
      callbacks.add(aborted);
    }
    return () => {
      if (callbacks.delete(aborted) && callbacks.size === 0) stopListening(signal, watch);
    };
  };
}
