import type { Priority } from '../core/throttle.ts';

const PRIORITIES: readonly Priority[] = ['high', 'normal', 'low'];

/** Number of ranks: for each priority one for retries and, behind it, one for first attempts. */
export const RANKS = 2 * PRIORITIES.length;

/** The rank of a call in the queue; a lower rank goes first. */
export function rankOf(priority: Priority, isRetry: boolean): number {
  return 2 * PRIORITIES.indexOf(priority) + (isRetry ? 0 : 1);
}

/** A member of a queue. Only the queue sets the links. */
export interface Linked<T> {
  readonly rank: number;
  previous: T | undefined;
  next: T | undefined;
}

/**
 * A queue: rank by rank, first come, first served within each. Doubly linked through its members, so that a call that
 * is aborted leaves in constant time, wherever it is.
 */
export class Line<T extends Linked<T>> {
  readonly #first = new Array<T | undefined>(RANKS).fill(undefined);
  readonly #last = new Array<T | undefined>(RANKS).fill(undefined);
  readonly #sizes = new Array<number>(RANKS).fill(0);
  #size = 0;

  /** Number of members. */
  get size(): number {
    return this.#size;
  }

  /** Number of members with `lowestRank` or a lower one. */
  sizeUpTo(lowestRank: number): number {
    let size = 0;
    for (let rank = 0; rank <= lowestRank; rank += 1) size += this.#sizes[rank] ?? 0;
    return size;
  }

  /** The member that goes first, of those with `lowestRank` or a lower one. */
  first(lowestRank: number): T | undefined {
    for (let rank = 0; rank <= lowestRank; rank += 1) {
      const first = this.#first[rank];
      if (first !== undefined) return first;
    }
    return undefined;
  }

  /** Adds a member at the end of its rank. */
  join(member: T): void {
    const last = this.#last[member.rank];
    member.previous = last;
    if (last === undefined) this.#first[member.rank] = member;
    else last.next = member;
    this.#last[member.rank] = member;
    this.#count(member.rank, 1);
  }

  /** Removes a member, which must be in this queue. */
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
