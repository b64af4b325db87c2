/** Listens to callers' signals, which may outlive thousands of calls. */
import { tried } from './tried.ts';

/** Calls back when the signal is aborted, or at once if it is, until the function returned is called. */
export type OnAbort = (signal: AbortSignal | undefined, aborted: (reason: unknown) => void) => () => void;

interface Watch extends EventListenerObject {
  readonly callbacks: Set<(reason: unknown) => void>;
}

const stopListening = (signal: AbortSignal, watch: Watch) =>
  tried(() => signal.removeEventListener('abort', watch));

/** Calls all callbacks once, and drops them: a signal is aborted only once. */
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
 * Makes a function that watches signals, with one listener per signal however many calls share it. A listener per call
 * would make Node warn of a leak after the tenth. Each call is removed when it ends. A signal may be any object that looks
 * like one: an error that it throws must not keep a call from ending.
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
