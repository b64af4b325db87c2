import { MAX_BELIEVED_WAIT_MS } from '../core/clock.ts';
import type { PoolName, RateLimit } from '../core/limits.ts';
import { PermitWindow, type Ending, type HeldBack, type Pace, type Sent } from './permit-window.ts';
import { SlowStart } from './slow-start.ts';

/** As long as the shortest published window. Pools with windows of a minute need no longer. */
const LONGEST_SLOW_START_MS = 10_000;

/** What response headers say about a limit. */
export interface LimitCount {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
}

/** A request that is sent, as its pools know it. */
export interface SentRequest extends Sent {
  /** Permits of the token in use when it was sent, minus all those taken until then. */
  mark: number;
}

/**
 * One limit of one token or account: decides whether a request may be sent now. It combines our own permits, those set
 * aside for other clients, and what the service refused. Pure: the time is passed in.
 */
export class Pool {
  readonly name: PoolName;
  readonly limit: RateLimit;
  /** Queued permits that need this pool; kept by the throttle. */
  waiting = 0;
  /** The timer that looks for room again; kept by the throttle. Set only while a permit waits and time can make room. */
  alarm: { readonly at: number; readonly cancel: () => void } | undefined;
  protected readonly window: PermitWindow;
  protected readonly slowStart: SlowStart;
  #blockedUntil = -Infinity;
  /**
   * What responses showed of other clients. From first to last, amounts fall and times rise: the first is the largest,
   * and the next applies once it is over.
   */
  readonly #foreign: { readonly amount: number; readonly until: number }[] = [];

  constructor(name: PoolName, limit: RateLimit, pace: Pace = 'burst') {
    this.name = name;
    this.limit = limit;
    this.window = new PermitWindow(limit, pace);
    this.slowStart = new SlowStart(limit.requests, Math.min(limit.perMs, LONGEST_SLOW_START_MS));
  }

  /** Until when the service refuses requests. */
  get blockedUntil(): number {
    return this.#blockedUntil;
  }

  /** Permits in use. */
  used(now: number): number {
    return this.window.used(now);
  }

  /** Permits left, even if the pace does not allow taking one yet. */
  left(now: number): number {
    if (now < this.#blockedUntil) return 0;
    return Math.max(0, this.limit.requests - this.window.used(now) - this.heldBack(now).held);
  }

  /** Whether a request may be sent now. */
  hasRoom(now: number): boolean {
    return now >= this.window.pacedUntil && this.slowStart.left(now) > 0 && this.left(now) > 0;
  }

  /** When there may be room at the earliest; Infinity if only the end of a request in flight can make room. */
  nextRoomAt(now: number): number {
    const opensAt = Math.max(this.#blockedUntil, this.window.pacedUntil);
    if (opensAt > now) return opensAt;
    if (this.slowStart.left(now) <= 0) return this.slowStart.endsAt;
    return Math.min(this.window.nextReturn, this.heldBack(now).heldUntil);
  }

  /** When the `nth` request from now (1 is the next) is expected to be sent. */
  expect(nth: number, now: number): number {
    return this.window.expect(nth, now, this.heldBack(now));
  }

  /** Takes a permit for a request that is sent now; the pool must have room. */
  take(sent: SentRequest, now: number): void {
    if (this.name === 'token') sent.mark = this.window.used(now) - this.window.taken;
    this.window.take(now);
    this.slowStart.sent();
  }

  /** A request ends; `counts` is what its response says about the token's limit. Returns when its permit is free. */
  end(sent: SentRequest, ending: Ending, counts: LimitCount, now: number): number {
    if (ending === 'answered' && this.name === 'token') this.#seen(counts, sent.mark, now);
    this.slowStart.ended(sent.sentAt, ending === 'answered');
    return this.window.end(ending, sent, now);
  }

  /** The service refused a request, and will refuse all for so long; at most an hour of it is believed. */
  block(ms: number, now: number): void {
    const until = now + Math.min(ms, MAX_BELIEVED_WAIT_MS);
    if (!(until > Math.max(now, this.#blockedUntil))) return;
    this.#blockedUntil = until;
    this.slowStart.begin(until);
    // The service's window ends then: nothing it has counted by now lasts longer.
    this.#foreign.length = 0;
  }

  /** Whether the pool can be forgotten: no permit waits, all are returned, and nothing delays the next request. */
  isIdle(now: number): boolean {
    return this.waiting === 0 && now >= this.window.pacedUntil && this.left(now) === this.limit.requests;
  }

  /** Permits that are not ours to take. */
  protected heldBack(now: number): HeldBack {
    while ((this.#foreign[0]?.until ?? Infinity) <= now) this.#foreign.shift();
    const { amount: held = 0, until: heldUntil = Infinity } = this.#foreign[0] ?? {};
    return { held, heldUntil, openAt: this.#blockedUntil };
  }

  /**
   * Sets aside for one window what other clients of the same limit use. Ours are the permits in use when the
   * request was sent, and all taken since: any of those requests may have been counted.
   */
  #seen({ limit = this.limit.requests, remaining }: LimitCount, mark: number, now: number): void {
    if (remaining === undefined || now < this.#blockedUntil) return;
    // If the service allows more than we do, other clients may use the difference without taking from our share.
    const counted = limit - remaining - Math.max(0, limit - this.limit.requests);
    const amount = counted - mark - this.window.taken;
    if (amount <= 0) return;
    while ((this.#foreign.at(-1)?.amount ?? Infinity) <= amount) this.#foreign.pop();
    this.#foreign.push({ amount, until: now + this.limit.perMs });
  }
}
