import type { Clock } from '../core/clock.ts';
import { tried } from '../core/rules.ts';

interface Watched extends EventListenerObject {
  readonly callbacks: Set<(reason: unknown) => void>;
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
    let watch = watched.get(signal);
    if (!watch) {
      const callbacks: Watched['callbacks'] = new Set();
      watch = { callbacks, handleEvent: () => [...callbacks].forEach((callback) => callback(reason())) };
      watched.set(signal, watch);
    }
    const { callbacks } = watch;
    if (signal.aborted) aborted(reason());
    else {
      if (callbacks.size === 0) signal.addEventListener('abort', watch);
      callbacks.add(aborted);
    }
    return () => {
      if (callbacks.delete(aborted) && callbacks.size === 0)
        tried(() => signal.removeEventListener('abort', watch), undefined);
    };
  };
}
