import { Waiters } from './waiters.ts';

/** Tells those who wait for something that it has arrived. It outlives a reset, so that no two things have one number. */
export class Arrivals<T> extends Waiters<T> {
  /** The number of the last thing. */
  last = 0;
}
