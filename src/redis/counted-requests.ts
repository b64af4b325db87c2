import type { SentRequest } from '../throttle/gate.ts';
import type { Lease } from './job.ts';

/** A request of this process that still counts, with the lease that covers it, once it has one. */
export interface CountedRequest extends SentRequest {
  lease: Lease | undefined;
  /** When its permit comes back; unknown while it is in flight. */
  returnsAt: number | undefined;
}

/** Requests of this process that still count; those without a lease Redis does not know of yet. */
export class CountedRequests {
  readonly #all = new Set<CountedRequest>();
  readonly #uncovered = new Set<CountedRequest>();

  /** How many there are. */
  get size(): number {
    return this.#all.size;
  }

  /** How many have no lease. */
  get uncovered(): number {
    return this.#uncovered.size;
  }

  add(counted: CountedRequest): void {
    this.#all.add(counted);
    if (counted.lease === undefined) this.#uncovered.add(counted);
  }

  delete(counted: CountedRequest): void {
    this.#all.delete(counted);
    this.#uncovered.delete(counted);
  }

  /** Gives a lease to one that has none; false when all have one. */
  cover(lease: Lease): boolean {
    const [counted] = this.#uncovered;
    if (counted === undefined) return false;
    counted.lease = lease;
    this.#uncovered.delete(counted);
    return true;
  }

  /** The leases are lost. */
  uncover(): void {
    for (const counted of this.#all) {
      counted.lease = undefined;
      this.#uncovered.add(counted);
    }
  }

  /** In how many ms each lease is due whose request is over. */
  dueInMs(now: number): Map<Lease, number> {
    const due = new Map<Lease, number>();
    for (const { lease, returnsAt } of this.#all) {
      if (lease !== undefined && returnsAt !== undefined) due.set(lease, Math.max(0, returnsAt - now));
    }
    return due;
  }
}
