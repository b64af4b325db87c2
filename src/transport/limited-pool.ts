import type { Permit, PermitRequest, PoolName, RateLimit } from '../core/throttle.ts';
import { Gate } from './gate.ts';
import type { Line, Linked } from './line.ts';
import type { Pace } from './rate-window.ts';

/** One limit of one token or account: its gate, and who waits for it. */
export class LimitedPool {
  readonly name: PoolName;
  readonly limit: RateLimit;
  readonly gate: Gate;
  /** Calls in line that need this pool. */
  waiting = 0;
  /** Those calls, by what else they need. Only lanes where somebody waits. */
  readonly lanes = new Set<Lane>();
  /** Set while somebody waits for this pool and time alone can make room. */
  alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(name: PoolName, limit: RateLimit, pace: Pace) {
    this.name = name;
    this.limit = limit;
    this.gate = new Gate(limit, pace);
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

/** A call in line. */
export interface WaitingCall extends Linked<WaitingCall> {
  readonly request: PermitRequest;
  readonly lane: Lane;
  /** Grows with every call that joins any line: who came first. */
  readonly order: number;
  /** Ends the waiting with a permit. */
  readonly grant: (permit: Permit) => void;
  hasLeft: boolean;
  /** Stops listening for the end of the call. */
  stopListening: (() => void) | undefined;
}
