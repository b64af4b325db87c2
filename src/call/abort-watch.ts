/** Something whose `aborted` is called when a signal is aborted. */
export interface Abortable {
  aborted(): void;
}

/**
 * Listens to callers' signals, with one listener per signal however many calls share it. A listener per call would make
 * Node warn of a leak after the tenth. A signal may outlive thousands of calls, so each call is removed when it ends.
 */
export class AbortWatch {
  readonly #watched = new WeakMap<AbortSignal, Watched>();

  /** Calls the call's `aborted` when the signal is aborted, unless it is removed before. */
  add(signal: AbortSignal, call: Abortable): void {
    let watched = this.#watched.get(signal);
    if (watched === undefined) {
      watched = new Watched();
      this.#watched.set(signal, watched);
    }
    if (watched.calls.size === 0) signal.addEventListener('abort', watched);
    watched.calls.add(call);
  }

  /** Removes a call, and the listener with the last one. */
  remove(signal: AbortSignal, call: Abortable): void {
    const watched = this.#watched.get(signal);
    if (watched?.calls.delete(call) && watched.calls.size === 0) signal.removeEventListener('abort', watched);
  }
}

class Watched {
  readonly calls = new Set<Abortable>();

  handleEvent(): void {
    for (const call of [...this.calls]) call.aborted();
  }
}
