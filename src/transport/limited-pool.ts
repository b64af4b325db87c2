import type { PermitRequest, PlaceInLine, PoolName, RateLimit } from '../core/throttle.ts';
import type { PoolGate } from './gate.ts';
import type { Line, Linked } from './line.ts';

/** One limit of one token or account: its gate, and who waits for it. */
export class LimitedPool {
  readonly name: PoolName;
  readonly limit: RateLimit;
  readonly gate: PoolGate;
  /** Calls in line that need this pool. */
  waiting = 0;
  /** Those calls, by what else they need. Only lanes where somebody waits. */
  readonly lanes = new Set<Lane>();
  /** Set while somebody waits for this pool and time alone can make room. */
  alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(name: PoolName, limit: RateLimit, gate: PoolGate) {
    this.name = name;
    this.limit = limit;
    this.gate = gate;
  }

  /** Whether it can be forgotten. */
  isIdle(now: number): boolean {
    return this.waiting === 0 && this.gate.isIdle(now);
  }
}

/** Calls that need the same pools, and can therefore go in their order. */
export interface Lane {
  readonly pools: readonly LimitedPool[];
  readonly line: Line<WaitingCall>;
}

/** A call in line. Little is held for each, for there may be very many. */
export class WaitingCall implements Linked<WaitingCall>, PlaceInLine {
  readonly request: PermitRequest;
  readonly lane: Lane;
  readonly rank: number;
  /** Grows with every call that joins any line: who came first. */
  readonly order: number;
  readonly #onLeave: (call: WaitingCall) => void;
  #hasLeft = false;
  previous: WaitingCall | undefined = undefined;
  next: WaitingCall | undefined = undefined;

  /** `onLeave` takes it out of its lane; it is the same function for all. */
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
