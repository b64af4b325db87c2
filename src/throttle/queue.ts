import { RANKS, type Permit } from './permit.ts';
import type { Pool } from './pool.ts';

/**
 * Permits that wait for the same pools: rank by rank, first come, first served within each. If the first cannot be
 * granted, neither can the rest. One that needs other pools waits in another queue, so that a full pool delays only the
 * calls that need it.
 */
export class Queue {
  readonly pools: readonly Pool[];
  /** A `Set` keeps its order, and removes any member in constant time. */
  readonly #ranks = Array.from({ length: RANKS }, () => new Set<Permit>());

  constructor(pools: readonly Pool[]) {
    this.pools = pools;
  }

  /** Number of permits that wait here, or of those with `lowestRank` or a lower one. */
  size(lowestRank = RANKS): number {
    return this.#ranks.slice(0, lowestRank + 1).reduce((size, rank) => size + rank.size, 0);
  }

  /** The permit that goes first. */
  get first(): Permit | undefined {
    const rank = this.#ranks.find(({ size }) => size > 0);
    return rank?.values().next().value;
  }

  /** Adds a permit at the end of its rank. */
  join(permit: Permit): void {
    this.#ranks[permit.rank]?.add(permit);
  }

  /** Removes a permit. */
  leave(permit: Permit): void {
    this.#ranks[permit.rank]?.delete(permit);
  }
}

/** Whether one permit goes before another. */
export const goesBefore = (one: Permit, other: Permit): boolean =>
  one.rank < other.rank || (one.rank === other.rank && one.order < other.order);
