import type { Passage } from '../transport/gate.ts';
import type { Lease } from './lease-source.ts';

/** A request of this process that still counts, with the lease that covers it, once it has one. */
export interface Outing extends Passage {
  lease: Lease | undefined;
  /** When its permit comes back; unknown while it is in flight. */
  returnsAt: number | undefined;
}

/** Requests of this process that still count; those without a lease Redis does not know of yet. */
export class Outings {
  readonly #all = new Set<Outing>();
  readonly #uncovered = new Set<Outing>();

  /** How many there are. */
  get size(): number {
    return this.#all.size;
  }

  /** How many have no lease. */
  get uncovered(): number {
    return this.#uncovered.size;
  }

  add(outing: Outing): void {
    this.#all.add(outing);
    if (outing.lease === undefined) this.#uncovered.add(outing);
  }

  delete(outing: Outing): void {
    this.#all.delete(outing);
    this.#uncovered.delete(outing);
  }

  /** Gives a lease to one that has none; false when all have one. */
  cover(lease: Lease): boolean {
    const [outing] = this.#uncovered;
    if (outing === undefined) return false;
    outing.lease = lease;
    this.#uncovered.delete(outing);
    return true;
  }

  /** The leases are lost. */
  uncover(): void {
    for (const outing of this.#all) {
      outing.lease = undefined;
      this.#uncovered.add(outing);
    }
  }

  /** In how many ms each lease is due whose request is over. */
  dueInMs(now: number): number[] {
    const due: number[] = [];
    for (const { lease, returnsAt } of this.#all) {
      if (lease !== undefined && returnsAt !== undefined) due.push(Math.max(0, returnsAt - now));
    }
    return due;
  }
}
