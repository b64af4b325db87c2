import { tried } from '../core/rules.ts';

/** Something that ends when a signal is aborted. */
export interface Abortable {
  aborted(reason: unknown): void;
}

/**
 * Listens to callers' signals, with one listener per signal however many calls share it. A listener per call would make
 * Node warn of a leak after the tenth. A signal may outlive thousands of calls, so each call is removed when it ends.
 * It may be any object that looks like one: what it throws must not keep a call from ending.
 */
export class AbortWatch {
  readonly #watched = new WeakMap<AbortSignal, ReturnType<typeof watchOf>>();

  /** Calls the call's `aborted` when the signal is aborted, or at once if it is, unless it is removed before. */
  add(signal: AbortSignal, call: Abortable): void {
    const watched = this.#watched.get(signal) ?? watchOf(signal);
    this.#watched.set(signal, watched);
    if (signal.aborted) {
      watched.end(call);
      return;
    }
    if (watched.calls.size === 0) signal.addEventListener('abort', watched);
    watched.calls.add(call);
  }

  /** Removes a call, and the listener with the last one. */
  remove(signal: AbortSignal, call: Abortable): void {
    const watched = this.#watched.get(signal);
    if (watched?.calls.delete(call) && watched.calls.size === 0)
      tried(() => signal.removeEventListener('abort', watched), undefined);
  }
}

function watchOf(signal: AbortSignal) {
  const calls = new Set<Abortable>();
  const end = (call: Abortable) => call.aborted(tried<unknown>(() => signal.reason, undefined));
  return { calls, end, handleEvent: () => [...calls].forEach(end) };
}
