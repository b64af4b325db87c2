import { Waiters } from '../../waiters.ts';
import type { Copy } from './outbox.ts';

/** Counts the accepted emails, and tells those who wait for one. It outlives a reset, so that no two have one number. */
export class Arrivals extends Waiters<Copy> {
  #last = 0;

  /** Returns the number of the next email. */
  nextNumber(): number {
    this.#last += 1;
    return this.#last;
  }
}
