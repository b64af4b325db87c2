/** Smallest size that a piece counts for, because each piece has an overhead. */
const MIN_PIECE_BYTES = 256;

/** A body whose visitor is not authorized yet. */
export interface WaitingBody {
  /** Counts a piece that has arrived; false if the total is too large. */
  add(bytes: number): boolean;
  /** Removes the body from the total. */
  leave(): void;
}

/** The bodies that are arriving or wait for `authorize`, and the limit on their total size. */
export class WaitingBodies {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a body that is about to arrive. */
  enter(): WaitingBody {
    let [bytes, pieces, counted] = [0, 0, 0];
    const count = (now: number) => {
      this.#bytes += now - counted;
      counted = now;
    };
    return {
      add: (more) => {
        bytes += more;
        pieces += 1;
        count(Math.max(bytes, pieces * MIN_PIECE_BYTES));
        return this.#bytes <= this.#maxBytes;
      },
      leave: () => count(0),
    };
  }
}
