import type { Clock } from '../core/clock.ts';
import { tried } from '../core/rules.ts';

interface Watched extends EventListenerObject {
  readonly callbacks: Set<(reason: unknown) => void>;
}

const stopListening = (signal: AbortSignal, watch: Watched) =>
  tried(() => signal.removeEventListener('abort', watch), undefined);

/** Calls everybody once: a signal is aborted only once, so that nobody need be removed afterwards. */
function watchOf(signal: AbortSignal, reason: () => unknown): Watched {
  const callbacks: Watched['callbacks'] = new Set();
  const watch: Watched = {
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
 * Listens to callers' signals, with one listener per signal however many calls share it. A listener per call would make
 * Node warn of a leak after the tenth. A signal may outlive thousands of calls, so each call is removed when it ends.
 * It may be any object that looks like one: what it throws must not keep a call from ending.
 */
export function abortWatcher(): Clock['onAbort'] {
  const watched = new WeakMap<AbortSignal, Watched>();
  return (signal, aborted) => {
    if (!signal) return () => undefined;
    const reason = () => tried<unknown>(() => signal.reason, undefined);
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
