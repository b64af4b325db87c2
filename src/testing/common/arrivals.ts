import { Waiters } from './waiters.ts';

/** Numbers the items that arrive, and wakes the waiters. Survives a reset, so that no number is used twice. */
export class Arrivals<T> extends Waiters<T> {
  /** The number of the newest item. */
  last = 0;
}
