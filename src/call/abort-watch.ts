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
export class AbortWatch {
  readonly #watched = new WeakMap<AbortSignal, Watched>();

  readonly onAbort: Clock['onAbort'] = (signal, aborted) => {
    if (!signal) return () => undefined;
    const reason = () => tried<unknown>(() => signal.reason, undefined);
    let watched = this.#watched.get(signal);
    if (!watched) {
      const callbacks: Watched['callbacks'] = new Set();
      watched = { callbacks, handleEvent: () => [...callbacks].forEach((callback) => callback(reason())) };
      this.#watched.set(signal, watched);
    }
    const { callbacks } = watched;
    if (signal.aborted) aborted(reason());
    else {
      if (callbacks.size === 0) signal.addEventListener('abort', watched);
      callbacks.add(aborted);
    }
    return () => {
      if (callbacks.delete(aborted) && callbacks.size === 0)
        tried(() => signal.removeEventListener('abort', watched), undefined);
    };
  };
}
