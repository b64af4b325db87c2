import type { Permit } from '../core/throttle.ts';
import type { LimitCount, SentRequest, PoolGate } from './gate.ts';
import type { LimitedPool } from './limited-pool.ts';

/** What a permit needs from its issuer. */
export interface PermitIssuer {
  /** The current time. */
  readonly now: () => number;
  /** A permit in these pools ended: there may be room now, or a new time at which there will be. */
  readonly review: (pools: readonly LimitedPool[], now: number) => void;
}

/** A permit in every pool that one request counts against. */
export class LocalPermit implements Permit {
  readonly #issuer: PermitIssuer;
  readonly #pools: readonly LimitedPool[];
  readonly #sent: readonly SentRequest[];
  #hasEnded = false;

  /** Takes a permit in each pool; all must have room. */
  constructor(issuer: PermitIssuer, pools: readonly LimitedPool[], now: number, timeoutMs: number) {
    this.#issuer = issuer;
    this.#pools = pools;
    this.#sent = pools.map(({ gate }) => gate.take(now, timeoutMs));
  }

  answered(headers: LimitCount): void {
    // The headers are about the token pool only.
    this.#end((gate, sent, now, isToken) => gate.answered(sent, now, isToken ? headers : {}));
  }

  neverSent(): void {
    this.#end((gate, sent) => gate.neverSent(sent));
  }

  abandoned(): void {
    this.#end((gate, sent, now) => gate.abandoned(sent, now));
  }

  timedOut(): void {
    this.#end((gate, sent, now) => gate.timedOut(sent, now));
  }

  /** Only the first ending counts: a second one would return the permit of another request. */
  #end(endIn: (gate: PoolGate, sent: SentRequest, now: number, isToken: boolean) => void): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const now = this.#issuer.now();
    this.#sent.forEach((sent, index) => {
      const pool = this.#pools[index];
      if (pool !== undefined) endIn(pool.gate, sent, now, pool.name === 'token');
    });
    this.#issuer.review(this.#pools, now);
  }
}
