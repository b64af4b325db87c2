/** What is told of an abort. */
export interface Abortable {
  aborted(): void;
}

/**
 * Listens to callers' signals, once to each however many calls share it: a listener for every call would be warned of
 * as a leak after the tenth, and a signal may outlive thousands of calls.
 */
export class AbortWatch {
  readonly #watched = new WeakMap<AbortSignal, Watched>();

  /** Tells the call when the signal is aborted, until it is let go. */
  add(signal: AbortSignal, call: Abortable): void {
    let watched = this.#watched.get(signal);
    if (watched === undefined) {
      watched = new Watched();
      this.#watched.set(signal, watched);
    }
    if (watched.calls.size === 0) signal.addEventListener('abort', watched);
    watched.calls.add(call);
  }

  /** Lets a call go; with the last one the listener goes too. */
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
