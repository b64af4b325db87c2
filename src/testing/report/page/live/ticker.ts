/** Calls back once a second, with one timer for the whole page. The timer runs only while the page is visible. */
export class Ticker {
  readonly #listeners = new Set<() => void>();
  readonly #page: Pick<Document, 'hidden' | 'addEventListener'>;
  readonly #start: (tick: () => void) => () => void;
  #stop: (() => void) | undefined;

  constructor(
    page: Pick<Document, 'hidden' | 'addEventListener'>,
    start = (tick: () => void) => {
      const timer = setInterval(tick, 1_000);
      return () => clearInterval(timer);
    },
  ) {
    this.#page = page;
    this.#start = start;
    page.addEventListener('visibilitychange', () => {
      this.#update();
      if (!page.hidden) this.#tick();
    });
  }

  /** Adds a listener. Returns a function that removes it. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#update();
    return () => {
      this.#listeners.delete(listener);
      this.#update();
    };
  }

  #tick(): void {
    for (const listener of this.#listeners) listener();
  }

  #update(): void {
    if (this.#listeners.size > 0 && !this.#page.hidden) {
      this.#stop ??= this.#start(() => this.#tick());
    } else {
      this.#stop?.();
      this.#stop = undefined;
    }
  }
}
