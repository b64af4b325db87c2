import type { AccountPoolName, Priority, ThrottleWait } from '../core/limits.ts';
import type { Ending, GrantedPermit } from './permit-window.ts';
import type { LimitCount, Pool } from './pool.ts';

/** Whose limits a request counts against: a token's, and an account's. */
export interface ThrottleKey {
  /** The token, or the function that supplies it, which is compared by identity. */
  readonly token: unknown;
  /** The account, where known; without one, its pools are kept by token. */
  readonly accountId?: number | undefined;
}

/** A call's request for a permit. */
export interface PermitRequest {
  readonly key: ThrottleKey;
  /** The account pool the request counts against, besides `token`. */
  readonly pool?: AccountPoolName | undefined;
  readonly priority: Priority;
  /** Retries go before every first attempt of the same priority. */
  readonly isRetry: boolean;
  /** The attempt's timeout in milliseconds; bounds how long a request without a response may still be counted. */
  readonly timeoutMs: number;
  /** Called when the request is queued; not called when there is room. */
  readonly onWait?: ((wait: ThrottleWait) => void) | undefined;
}

const PRIORITIES: readonly Priority[] = ['high', 'normal', 'low'];

/** More requests than a throttle sees in a thousand years. */
const MOST = 1e12;

/**
 * The rank of a request; a lower rank goes first. For each priority there is one for retries, and after it one for
 * first attempts.
 */
export const rankOf = (priority: Priority, isRetry: boolean): number =>
  2 * PRIORITIES.indexOf(priority) + (isRetry ? 0 : 1);

/** Called when a permit that is waited for is granted, or never can be. */
export interface Waiter {
  resolve(value: undefined): void;
  reject(reason: Error): void;
}

/** Called once, when a permit ends; `wasOut` is false if it was never granted. */
type OnEnd = (permit: Permit, wasOut: boolean, ending: Ending, counts: LimitCount) => void;

/**
 * Permission to send one request: first it may wait in a queue, then it is out (in use), and then it ends, once. The
 * throttle that it comes from decides when it returns.
 */
export class Permit implements GrantedPermit {
  readonly request: PermitRequest;
  /** The pools the request counts against. */
  readonly pools: readonly Pool[];
  readonly rank: number;
  /** Of two permits the one with the lower number goes first. */
  readonly order: number;
  state: 'waiting' | 'out' | 'ended' = 'waiting';
  /** NaN until it is granted. */
  grantedAt = NaN;
  baseline = 0;
  /** Called when the permit, which is waiting, is granted; or by the throttle, when it never can be. */
  waiter: Waiter | undefined;
  readonly #onEnd: OnEnd;

  /** It is the `nth` that was requested. */
  constructor(request: PermitRequest, pools: readonly Pool[], nth: number, onEnd: OnEnd) {
    this.request = request;
    this.pools = pools;
    this.rank = rankOf(request.priority, request.isRetry);
    this.order = this.rank * MOST + nth;
    this.#onEnd = onEnd;
  }

  get timeoutMs(): number {
    return this.request.timeoutMs;
  }

  /** For the throttle: the request may be sent now. */
  grant(now: number): void {
    this.state = 'out';
    this.grantedAt = now;
    this.waiter?.resolve(undefined);
  }

  /** Whether it certainly still counts, wherever its limit is shared, when a request of at most `ms` milliseconds ends. */
  lasts(ms: number): boolean {
    return this.pools.every((pool) => pool.lasts(this, ms));
  }

  /**
   * Ends the permit, with the fate of its request; only the first ending counts. A permit that is still waiting leaves its
   * queue. `counts` are those of the response's headers.
   */
  end(ending: Ending, counts: LimitCount = {}): void {
    if (this.state === 'ended') return;
    const wasOut = this.state === 'out';
    this.state = 'ended';
    this.#onEnd(this, wasOut, ending, counts);
  }
}
