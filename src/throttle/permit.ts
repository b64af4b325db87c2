import type { AccountPoolName, Priority, ThrottleWait } from '../core/limits.ts';
import type { Ending, GrantedPermit, LimitCount } from './permit-window.ts';
import type { Pool } from './pool.ts';

/** The token and the account whose limits a request counts against. */
export interface ThrottleKey {
  /** The token, or the function that supplies it; compared by identity. */
  readonly token: unknown;
  /** The account, if known; without it, the token identifies the account's pools. */
  readonly accountId?: number | undefined;
}

/** A call's request for a permit. */
export interface PermitRequest {
  readonly key: ThrottleKey;
  /** The account pool the request counts against, besides `token`. */
  readonly pool?: AccountPoolName | undefined;
  readonly priority: Priority;
  /** Retries leave the queue before every first attempt of the same priority. */
  readonly isRetry: boolean;
  /**
   * The longest time of the attempt in milliseconds: its timeout, once more for a token function and once more for a claim.
   * Limits the time in which the service may count a request without a response.
   */
  readonly timeoutMs: number;
  /** Called when the request is queued; not called if a permit is free. */
  readonly onWait?: ((wait: ThrottleWait) => void) | undefined;
}

const PRIORITIES: readonly Priority[] = ['high', 'normal', 'low'];

/** More requests than a throttle sees in a thousand years. */
const MOST = 1e12;

/**
 * The rank of a request; a lower rank goes first. Each priority has a rank for retries, followed by one for first
 * attempts.
 */
export const rankOf = (priority: Priority, isRetry: boolean): number =>
  2 * PRIORITIES.indexOf(priority) + (isRetry ? 0 : 1);

/** Resolved when a queued permit is granted, rejected if it never can be. */
export interface Waiter {
  resolve(value: undefined): void;
  reject(reason: Error): void;
}

/** Called once, when a permit ends; `wasOut` is false if it was never granted. */
type OnEnd = (permit: Permit, wasOut: boolean, ending: Ending, counts: LimitCount) => void;

/**
 * Permission to send one request. It may wait in a queue, is then out (in use), and ends once. Its throttle decides
 * when it returns.
 */
export class Permit implements GrantedPermit {
  readonly request: PermitRequest;
  /** The pools the request counts against. */
  readonly pools: readonly Pool[];
  readonly rank: number;
  /** A permit with a lower number goes first. */
  readonly order: number;
  state: 'waiting' | 'out' | 'ended' = 'waiting';
  /** NaN until it is granted. */
  grantedAt = NaN;
  baseline = 0;
  /** Resolved when the waiting permit is granted; rejected by the throttle if it never can be. */
  waiter: Waiter | undefined;
  readonly #onEnd: OnEnd;

  /** Creates the `nth` requested permit. */
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

  /** Grants the permit; the throttle calls it. */
  grant(now: number): void {
    this.state = 'out';
    this.grantedAt = now;
    this.waiter?.resolve(undefined);
  }

  /**
   * Whether every shared limit certainly still counts the permit at the end of a request of at most `ms` milliseconds.
   */
  lasts(ms: number): boolean {
    return this.pools.every((pool) => pool.lasts(this, ms));
  }

  /**
   * Ends the permit, with the end of its request; only the first ending counts. A waiting permit leaves its queue.
   * `counts` are the counts in the response's headers.
   */
  end(ending: Ending, counts: LimitCount = {}): void {
    if (this.state === 'ended') return;
    const wasOut = this.state === 'out';
    this.state = 'ended';
    this.#onEnd(this, wasOut, ending, counts);
  }
}
