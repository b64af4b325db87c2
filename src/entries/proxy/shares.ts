import type { PoolSnapshot } from '../../core/limits.ts';

/** Largest number of waiting requests of one visitor. A page with more has a fault. */
const MAX_PENDING = 50;
/** Longest wait. A request that needs a longer one is refused, because the page would time out first. */
export const MAX_WAIT_MS = 10_000;
/** Milliseconds between two sweeps, which remove visitors without counting requests. */
const SWEEP_MS = 60_000;

/** A limit that visitors share. */
export type Limit = Required<Pick<PoolSnapshot, 'requests' | 'perMs'>> & { readonly pool: string };

interface Visitor {
  pending: number;
  /** The time until which the last request counts. */
  countsUntil: number;
  /** By pool: the times at which the last requests were sent. */
  readonly times: Map<string, number[]>;
}

/**
 * Keeps each visitor to a share of each limit, so that room is left for the others. A request beyond the share waits,
 * and is refused if the wait would be too long.
 */
export class Shares {
  readonly #share: number;
  readonly #visitors = new Map<string, Visitor>();
  #sweepAt = 0;

  constructor(share: number) {
    this.#share = share;
  }

  /**
   * Reserves a place for a request of a visitor, until `leave`. Returns the wait in milliseconds. If the wait is more
   * than `mostMs`, nothing is reserved.
   */
  enter(name: string, limits: readonly Limit[], now: number, mostMs = MAX_WAIT_MS): number {
    this.#sweep(now);
    const visitor: Visitor = this.#visitors.get(name) ?? {
      pending: 0,
      countsUntil: 0,
      times: new Map(),
    };
    if (visitor.pending >= MAX_PENDING) return MAX_WAIT_MS + 1;
    const taken = limits.map(({ pool, requests, perMs }) => {
      const at = visitor.times.get(pool) ?? [];
      const count = Math.max(1, Math.floor(requests * this.#share));
      return { pool, at, count, turn: (at[at.length - count] ?? -Infinity) + perMs };
    });
    const turn = Math.max(now, ...taken.map((one) => one.turn));
    if (turn - now > mostMs) return turn - now;
    for (const { pool, at, count } of taken) {
      at.push(turn);
      if (at.length > count) at.shift();
      visitor.times.set(pool, at);
    }
    visitor.countsUntil = turn + Math.max(...limits.map(({ perMs }) => perMs));
    visitor.pending += 1;
    this.#visitors.set(name, visitor);
    return turn - now;
  }

  /** Number of remembered visitors. */
  get size(): number {
    return this.#visitors.size;
  }

  /** Ends a request of a visitor. */
  leave(name: string): void {
    const visitor = this.#visitors.get(name);
    if (visitor) visitor.pending -= 1;
  }

  #sweep(now: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + SWEEP_MS;
    for (const [name, { pending, countsUntil }] of this.#visitors)
      if (pending === 0 && countsUntil <= now) this.#visitors.delete(name);
  }
}
