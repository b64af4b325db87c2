import { Waiters } from './waiters.ts';

/** Numbers things as they arrive, and tells those who wait for one. It outlives a reset, so that no two have one number. */
export class Arrivals<T> extends Waiters<T> {
  #last = 0;

  /** Returns the number of the next thing. */
  nextNumber(): number {
    this.#last += 1;
    return this.#last;
  }
}
