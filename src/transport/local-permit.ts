import type { Permit } from '../core/throttle.ts';
import type { LimitCount, SentRequest, PoolGate } from './gate.ts';
import type { LimitedPool } from './limited-pool.ts';

/** What a permit needs from whoever hands it out. */
export interface PermitIssuer {
  /** Tells the time. */
  readonly now: () => number;
  /** A permit ended: there may be room, or news about when. */
  readonly review: (pools: readonly LimitedPool[], now: number) => void;
}

/** A permit in every pool that one request counts against. */
export class LocalPermit implements Permit {
  readonly #issuer: PermitIssuer;
  readonly #pools: readonly LimitedPool[];
  readonly #passages: readonly SentRequest[];
  #hasEnded = false;

  /** Takes it; every pool has room. */
  constructor(issuer: PermitIssuer, pools: readonly LimitedPool[], now: number, timeoutMs: number) {
    this.#issuer = issuer;
    this.#pools = pools;
    this.#passages = pools.map(({ gate }) => gate.take(now, timeoutMs));
  }

  answered(headers: LimitCount): void {
    // Only the token's own pool is told in headers.
    this.#end((gate, passage, now, isToken) => gate.answered(passage, now, isToken ? headers : {}));
  }

  neverSent(): void {
    this.#end((gate, passage) => gate.neverSent(passage));
  }

  abandoned(): void {
    this.#end((gate, passage, now) => gate.abandoned(passage, now));
  }

  timedOut(): void {
    this.#end((gate, passage, now) => gate.timedOut(passage, now));
  }

  /** A second ending is none: it would give back somebody else's permit. */
  #end(giveBack: (gate: PoolGate, passage: SentRequest, now: number, isToken: boolean) => void): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const now = this.#issuer.now();
    this.#passages.forEach((passage, index) => {
      const pool = this.#pools[index];
      if (pool !== undefined) giveBack(pool.gate, passage, now, pool.name === 'token');
    });
    this.#issuer.review(this.#pools, now);
  }
}
