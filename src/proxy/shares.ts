import type { PoolSnapshot } from '../core/limits.ts';

/** More requests of one visitor than this do not wait: a page that needs more is out of order. */
const MAX_PENDING = 50;
/** A visitor who would have to wait longer is refused, because the page would give up first. */
export const MAX_WAIT_MS = 10_000;
/** How often visitors are forgotten whose requests no longer count. */
const SWEEP_MS = 60_000;

/** A limit that a visitor has a share of. */
export type Limit = Pick<PoolSnapshot, 'requests' | 'perMs'> & { readonly pool: string };

interface Visitor {
  pending: number;
  /** Until when the last request counts. */
  countsUntil: number;
  /** For each pool, when the last requests were let through. */
  readonly times: Map<string, number[]>;
}

/**
 * Keeps every visitor to a share of each limit, so that one of them leaves room for the others. What exceeds the share
 * waits for its turn; only where that takes too long is it refused.
 */
export class Shares {
  readonly #share: number;
  readonly #visitors = new Map<string, Visitor>();
  #sweepAt = 0;

  constructor(share: number) {
    this.#share = share;
  }

  /**
   * Takes a place for a request of a visitor, until `leave`, and returns how many milliseconds it has to wait for its
   * turn. If those are more than `mostMs`, it has taken none.
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

  /** How many visitors are remembered. */
  get size(): number {
    return this.#visitors.size;
  }

  /** A request of a visitor has been answered. */
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
