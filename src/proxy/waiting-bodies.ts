/** A piece takes as much room as this, however few bytes it has. */
const MIN_PIECE_BYTES = 256;

/** A body whose visitor has not been let in yet. */
export interface WaitingBody {
  /** Counts a piece that has arrived; false if there is no room for it. */
  add(bytes: number): boolean;
  /** Gives back its room. */
  leave(): void;
}

/** The bodies that wait for `authorize`, or for their end: together they take no more room than this. */
export class WaitingBodies {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** A body that is about to arrive. */
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
