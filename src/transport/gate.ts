import type { RateLimit } from '../core/throttle.ts';
import { ForeignUse } from './foreign-use.ts';
import { RateWindow, type Pace } from './rate-window.ts';
import { Recovery } from './recovery.ts';

/**
 * Decides whether a request may go out now, for one limit. Every moment is passed in. A request that was let out ends
 * with exactly one of the four endings.
 */
export interface PoolGate {
  /** The service refuses requests until then. */
  readonly blockedUntil: number;
  /** Permits out. */
  used(now: number): number;
  /** Whether a request may go out now. */
  hasRoom(now: number): boolean;
  /** Permits left, whatever the pace. */
  left(now: number): number;
  /** The earliest time at which there may be room, to look again; Infinity when time alone makes none. */
  lookAgainAt(now: number): number;
  /** When the `nth` request from now (1 is the next) can be expected to go out. */
  expect(nth: number, now: number): number;
  /** A request goes out; the gate has room. */
  take(now: number, timeoutMs: number): SentRequest;
  /** The headers of its answer arrived, with what they say about this limit. */
  answered(passage: SentRequest, now: number, count: LimitCount): void;
  /** It provably never left. */
  neverSent(passage: SentRequest): void;
  /** The caller gave up, or the connection broke. */
  abandoned(passage: SentRequest, now: number): void;
  /** No answer in time. */
  timedOut(passage: SentRequest, now: number): void;
  /** The service refused a request and will refuse others until then. */
  block(until: number): void;
  /** Whether nothing is remembered that a new gate would not know. */
  isIdle(now: number): boolean;
}

/** As long as the shortest published window; those of a minute need no longer. */
export const LONGEST_RECOVERY_MS = 10_000;

/** What a gate must know of a request it let out when that ends. */
export interface SentRequest {
  readonly sentAt: number;
  readonly timeoutMs: number;
  /** Permits out when it was sent, less those taken since the beginning. */
  readonly mark: number;
}

/** What an answer says about a limit. */
export interface LimitCount {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
}

/**
 * The gate of one process by itself: permits of our own, those held back for others, and refusals by the service.
 * Pure, like its parts.
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

  answered(
    passage: SentRequest,
    now: number,
    { limit = this.#window.requests, remaining }: LimitCount,
  ): void {
    if (remaining !== undefined) {
      // Room that the service grants beyond the limit we keep is nobody's use of ours.
      const counted = limit - remaining - Math.max(0, limit - this.#window.requests);
      // Permits out when it was sent, and all taken since, were out at some moment of its way.
      const ours = passage.mark + this.#window.taken;
      const windowEnd = now < this.#blockedUntil ? this.#blockedUntil : Infinity;
      this.#foreign.seen(counted - ours, Math.min(now + this.#window.perMs, windowEnd));
    }
    this.#window.answered(now);
    this.#recovery.ended(passage.sentAt, true);
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
