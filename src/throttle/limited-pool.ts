import type { PermitRequest, PlaceInLine, PoolName, RateLimit } from '../core/throttle.ts';
import type { PoolGate } from './gate.ts';
import type { Line, Linked } from './line.ts';

/** One limit of one token or account: its gate, and the calls queued for it. */
export class LimitedPool {
  readonly name: PoolName;
  readonly limit: RateLimit;
  readonly gate: PoolGate;
  /** Queued calls that need this pool. */
  waiting = 0;
  /** Those calls, by the pools they need. No lane is empty. */
  readonly lanes = new Set<Lane>();
  /** The timer that looks for room again; set only while a call waits for this pool and time alone can make room. */
  alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(name: PoolName, limit: RateLimit, gate: PoolGate) {
    this.name = name;
    this.limit = limit;
    this.gate = gate;
  }

  /** Whether the pool can be forgotten. */
  isIdle(now: number): boolean {
    return this.waiting === 0 && this.gate.isIdle(now);
  }
}

/**
 * Queued calls that need the same pools. If the first of them cannot go, neither can the rest, so within a lane the
 * order is simple. A call with other needs is in another lane, so that a full pool delays only the calls that need it.
 */
export interface Lane {
  readonly pools: readonly LimitedPool[];
  readonly line: Line<WaitingCall>;
}

/** A queued call. It is kept small, because there may be very many. */
export class WaitingCall implements Linked<WaitingCall>, PlaceInLine {
  readonly request: PermitRequest;
  readonly lane: Lane;
  readonly rank: number;
  /** Counts the calls in all queues, and so decides between calls of the same rank in different lanes. */
  readonly order: number;
  readonly #onLeave: (call: WaitingCall) => void;
  #hasLeft = false;
  previous: WaitingCall | undefined = undefined;
  next: WaitingCall | undefined = undefined;

  /** `onLeave` takes the call out of its lane. It is the same function for all calls, not a closure for each. */
  constructor(
    request: PermitRequest,
    lane: Lane,
    rank: number,
    order: number,
    onLeave: (call: WaitingCall) => void,
  ) {
    this.request = request;
    this.lane = lane;
    this.rank = rank;
    this.order = order;
    this.#onLeave = onLeave;
  }

  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#onLeave(this);
  }
}
