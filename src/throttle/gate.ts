import type { RateLimit } from '../core/throttle.ts';
import { ForeignUse } from './foreign-use.ts';
import { RateWindow, type Pace } from './rate-window.ts';
import { Recovery } from './recovery.ts';

/**
 * Decides for one limit whether a request may be sent now. The time is passed in. Every request taken ends in exactly
 * one of four ways: `answered`, `neverSent`, `abandoned` or `timedOut`.
 */
export interface PoolGate {
  /** Until when the service refuses requests. */
  readonly blockedUntil: number;
  /** Permits out. */
  used(now: number): number;
  /** Whether a request may be sent now. */
  hasRoom(now: number): boolean;
  /** Permits left, even if the pace does not allow taking one yet. */
  left(now: number): number;
  /** When there may be room at the earliest; Infinity if only the end of a request in flight can make room. */
  lookAgainAt(now: number): number;
  /** When the `nth` request from now (1 is the next) is expected to be sent. */
  expect(nth: number, now: number): number;
  /** Takes a permit for a request that is sent now; the gate must have room. */
  take(now: number, timeoutMs: number): SentRequest;
  /** The response headers arrived; `count` is what they say about this limit. */
  answered(sent: SentRequest, now: number, count: LimitCount): void;
  /** The request provably never left. */
  neverSent(sent: SentRequest): void;
  /** The call was aborted, or the connection broke. */
  abandoned(sent: SentRequest, now: number): void;
  /** No response arrived in time. */
  timedOut(sent: SentRequest, now: number): void;
  /** The service refused a request, and will refuse all until then. */
  block(until: number): void;
  /** Whether the gate can be forgotten: every permit is back, and nothing delays the next request. */
  isIdle(now: number): boolean;
}

/** As long as the shortest published window. Pools with windows of a minute need no longer. */
export const LONGEST_RECOVERY_MS = 10_000;

/** What a gate has to know about a request when it ends. */
export interface SentRequest {
  readonly sentAt: number;
  readonly timeoutMs: number;
  /** Permits out when it was sent, minus those ever taken until then: see `answered`. */
  readonly mark: number;
}

/** What response headers say about a limit. */
export interface LimitCount {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
}

/**
 * The gate of a process that shares its limits with no other: combines our own permits, those set aside for other
 * clients, and what the service refused. Pure, like its parts.
 */
export class Gate implements PoolGate {
  readonly #window: RateWindow;
  readonly #foreign = new ForeignUse();
  readonly #recovery: Recovery;
  #blockedUntil = -Infinity;

  constructor(limit: RateLimit, pace: Pace) {
    this.#window = new RateWindow(limit, pace);
    this.#recovery = new Recovery(limit.requests, Math.min(limit.perMs, LONGEST_RECOVERY_MS));
  }

  get blockedUntil(): number {
    return this.#blockedUntil;
  }

  used(now: number): number {
    return this.#window.used(now);
  }

  hasRoom(now: number): boolean {
    return now >= this.#window.pacedUntil && this.#recovery.hasRoom(now) && this.left(now) > 0;
  }

  left(now: number): number {
    if (now < this.#blockedUntil) return 0;
    return Math.max(0, this.#window.requests - this.#window.used(now) - this.#foreign.held(now));
  }

  lookAgainAt(now: number): number {
    const opensAt = Math.max(this.#blockedUntil, this.#window.pacedUntil);
    if (opensAt > now) return opensAt;
    if (!this.#recovery.hasRoom(now)) return this.#recovery.endsAt;
    return Math.min(this.#window.nextReturn, this.#foreign.heldUntil);
  }

  expect(nth: number, now: number): number {
    const held = this.#foreign.held(now);
    const heldUntil = held > 0 ? this.#foreign.heldUntil : now;
    return this.#window.expect(nth, now, { held, heldUntil, openAt: this.#blockedUntil });
  }

  take(now: number, timeoutMs: number): SentRequest {
    const mark = this.#window.used(now) - this.#window.taken;
    this.#window.take(now);
    this.#recovery.sent();
    return { sentAt: now, timeoutMs, mark };
  }

  answered(sent: SentRequest, now: number, { limit = this.#window.requests, remaining }: LimitCount): void {
    if (remaining !== undefined) {
      // If the service allows more than we do, other clients may use the difference without taking from our share.
      const counted = limit - remaining - Math.max(0, limit - this.#window.requests);
      // The permits out when the request was sent, and all taken since: any of those requests may be among the counted.
      const ours = sent.mark + this.#window.taken;
      // While the pool is blocked, the service has named the end of its window: nothing it counted lasts longer.
      const windowEnd = now < this.#blockedUntil ? this.#blockedUntil : Infinity;
      this.#foreign.seen(counted - ours, Math.min(now + this.#window.perMs, windowEnd));
    }
    this.#window.answered(now);
    this.#recovery.ended(sent.sentAt, true);
  }

  neverSent({ sentAt }: SentRequest): void {
    this.#window.neverSent();
    this.#recovery.ended(sentAt, false);
  }

  abandoned({ sentAt, timeoutMs }: SentRequest, now: number): void {
    this.#window.abandoned(now, sentAt, timeoutMs);
    this.#recovery.ended(sentAt, false);
  }

  timedOut({ sentAt, timeoutMs }: SentRequest, now: number): void {
    this.#window.timedOut(now, timeoutMs);
    this.#recovery.ended(sentAt, false);
  }

  block(until: number): void {
    if (until <= this.#blockedUntil) return;
    this.#blockedUntil = until;
    this.#foreign.endAt(until);
    this.#recovery.begin(until);
  }

  isIdle(now: number): boolean {
    return now >= this.#window.pacedUntil && this.left(now) === this.#window.requests;
  }
}
