import type { Priority } from '../core/throttle.ts';

const PRIORITIES: readonly Priority[] = ['high', 'normal', 'low'];

/** Places a line has: for each priority, repeated attempts and behind them first ones. */
export const RANKS = 2 * PRIORITIES.length;

/** Where a call stands in line; a lower rank goes first. */
export function rankOf(priority: Priority, isRetry: boolean): number {
  return 2 * PRIORITIES.indexOf(priority) + (isRetry ? 0 : 1);
}

/** What stands in a line. The links are the line's own. */
export interface Linked<T> {
  readonly rank: number;
  previous: T | undefined;
  next: T | undefined;
}

/** First come, first served within each rank. Doubly linked through its members, so that any of them leaves at once. */
export class Line<T extends Linked<T>> {
  readonly #first = new Array<T | undefined>(RANKS).fill(undefined);
  readonly #last = new Array<T | undefined>(RANKS).fill(undefined);
  readonly #sizes = new Array<number>(RANKS).fill(0);
  #size = 0;

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** How many wait in `lowestRank` or before it. */
  sizeUpTo(lowestRank: number): number {
    let size = 0;
    for (let rank = 0; rank <= lowestRank; rank += 1) size += this.#sizes[rank] ?? 0;
    return size;
  }

  /** Who goes first, of those in `lowestRank` or before it. */
  first(lowestRank: number): T | undefined {
    for (let rank = 0; rank <= lowestRank; rank += 1) {
      const first = this.#first[rank];
      if (first !== undefined) return first;
    }
    return undefined;
  }

  /** Goes to the end of its rank. */
  join(member: T): void {
    const last = this.#last[member.rank];
    member.previous = last;
    if (last === undefined) this.#first[member.rank] = member;
    else last.next = member;
    this.#last[member.rank] = member;
    this.#count(member.rank, 1);
  }

  /** Leaves, from wherever it stands; it must be in this line. */
  leave(member: T): void {
    const { previous, next, rank } = member;
    if (previous === undefined) this.#first[rank] = next;
    else previous.next = next;
    if (next === undefined) this.#last[rank] = previous;
    else next.previous = previous;
    member.previous = undefined;
    member.next = undefined;
    this.#count(rank, -1);
  }

  #count(rank: number, change: number): void {
    this.#sizes[rank] = (this.#sizes[rank] ?? 0) + change;
    this.#size += change;
  }
}
