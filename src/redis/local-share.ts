/** How things stood when a process had to go on by itself. */
export interface ShareBasis {
  readonly now: number;
  /** Processes that share the limit. */
  readonly processes: number;
  /** Permits out in this process. */
  readonly own: number;
  /** Permits out in all processes, as far as known. */
  readonly used: number;
}

/** Requests others had in flight are answered, and their permits back, a little after one window. */
const IN_FLIGHT_MS = 2_000;

/**
 * How many permits a process may have out when it cannot ask the others: an equal share of the limit. Some may have
 * more than their share out when it begins, and keep it until it comes back; for that long the others may not grow up
 * to theirs at once, only by an equal part of what was free. All of them together then never exceed the limit. Pure,
 * like the rate window.
 */
export class LocalShare {
  readonly #requests: number;
  readonly #perMs: number;
  #share = 0;
  #first = 0;
  #firstUntil = -Infinity;

  constructor(requests: number, perMs: number) {
    this.#requests = requests;
    this.#perMs = perMs;
  }

  /** Nobody can be asked from now on. */
  begin({ now, processes, own, used }: ShareBasis): void {
    // With more processes than permits some process must still be able to send.
    this.#share = Math.max(1, Math.floor(this.#requests / processes));
    const free = Math.max(0, this.#requests - Math.max(own, used));
    this.#first = Math.min(this.#share, own + Math.floor(free / processes));
    this.#firstUntil = now + this.#perMs + IN_FLIGHT_MS;
  }

  /** Permits that may be out. */
  cap(now: number): number {
    return now < this.#firstUntil ? this.#first : this.#share;
  }

  /** When the cap may rise; Infinity when it will not. */
  risesAt(now: number): number {
    return now < this.#firstUntil && this.#first < this.#share ? this.#firstUntil : Infinity;
  }
}
