import type { RateLimit } from '../core/throttle.ts';
import { LONGEST_RECOVERY_MS, type PoolGate } from '../throttle/gate.ts';
import { RateWindow } from '../throttle/rate-window.ts';
import { Recovery } from '../throttle/recovery.ts';
import type { Lease } from './job.ts';
import { LocalShare } from './local-share.ts';
import { CountedRequests, type CountedRequest } from './counted-requests.ts';
import { expectShared } from './shared-forecast.ts';

/** What a gate needs from its pool. */
export interface GateKeeper {
  /** Calls back after so many milliseconds, without keeping the process alive for it. */
  readonly later: (ms: number, fire: () => void) => void;
  readonly now: () => number;
  /** Whether a lease would outlive a request that began now. */
  readonly isGood: (lease: Lease) => boolean;
  /** Whether a lease may stay here for another request, beside so many that this process holds. */
  readonly mayKeep: (held: number) => boolean;
  /** A permit came back. */
  readonly onReturn: () => void;
}

/**
 * The gate of one process among several. While the limit is shared, requests go out on leases that were asked for and
 * are in hand; while it cannot be, on the local share. In both cases every request of this process is remembered until
 * its permit comes back, by the same rules as in a process by itself: its lease ends only then, and what went out
 * without a lease gets one as soon as there is somebody to ask.
 */
export class SharedGate implements PoolGate {
  /** `opening`: not known yet whether the limit can be shared, so nobody goes. */
  mode: 'opening' | 'shared' | 'alone' = 'opening';
  /** Whether the pool is open in Redis. */
  isOpen = false;
  readonly #keeper: GateKeeper;
  readonly #own: RateWindow;
  readonly #recovery: Recovery;
  readonly #share: LocalShare;
  readonly #inHand: { readonly lease: Lease; readonly since: number }[] = [];
  readonly #counted = new CountedRequests();
  #used = 0;
  #blockedUntil = -Infinity;

  constructor(limit: RateLimit, keeper: GateKeeper) {
    this.#keeper = keeper;
    this.#own = new RateWindow(limit);
    this.#recovery = new Recovery(limit.requests, Math.min(limit.perMs, LONGEST_RECOVERY_MS));
    this.#share = new LocalShare(limit.requests, limit.perMs);
  }

  get blockedUntil(): number {
    return this.#blockedUntil;
  }

  /** Leases in hand. */
  get inHand(): number {
    return this.#inHand.length;
  }

  /** Requests of this process that count. */
  get out(): number {
    return this.#counted.size;
  }

  /** Requests that count and that Redis does not know. */
  get uncovered(): number {
    return this.#counted.uncovered;
  }

  /** In how many ms each lease is due whose request is over; 0 for those in hand. */
  dueInMs(now: number): Map<Lease, number> {
    const due = this.#counted.dueInMs(now);
    for (const { lease } of this.#inHand) due.set(lease, 0);
    return due;
  }

  used(now: number): number {
    const own = this.#own.used(now);
    return this.mode === 'shared' ? Math.max(own, Math.min(this.#own.requests, this.#used)) : own;
  }

  hasRoom(now: number): boolean {
    if (now < this.#blockedUntil || !this.#recovery.hasRoom(now)) return false;
    // A process that was kept from running for long may find that its leases have ended.
    if (this.mode === 'shared') return this.#inHand.some(({ lease }) => this.#keeper.isGood(lease));
    return this.mode === 'alone' && this.#own.used(now) < this.#share.cap(now);
  }

  left(now: number): number {
    if (now < this.#blockedUntil) return 0;
    const most = this.mode === 'alone' ? this.#share.cap(now) : this.#own.requests;
    return Math.max(0, most - this.used(now));
  }

  /** How many more the service's last refusal lets go for now. */
  recoveryLeft(now: number): number {
    return now < this.#blockedUntil ? 0 : this.#recovery.left(now);
  }

  /** When `recoveryLeft` may rise with time alone. */
  recoversAt(now: number): number {
    return now < this.#blockedUntil ? this.#blockedUntil : this.#recovery.endsAt;
  }

  lookAgainAt(now: number): number {
    // Leases come when they come; the pool asks for them again when a refusal is over.
    if (this.mode !== 'alone') return Infinity;
    if (now < this.#blockedUntil) return this.#blockedUntil;
    if (!this.#recovery.hasRoom(now)) return this.#recovery.endsAt;
    return Math.min(this.#own.nextReturn, this.#share.risesAt(now));
  }

  expect(nth: number, now: number): number {
    const most = Math.max(1, this.mode === 'alone' ? this.#share.cap(now) : this.#own.requests);
    const opensAt = Math.max(now, this.#blockedUntil);
    return expectShared(nth, { now, opensAt, most, used: this.used(now), own: this.#own });
  }

  take(now: number, timeoutMs: number): CountedRequest {
    const lease = this.mode === 'shared' ? this.#takeInHand() : undefined;
    const counted: CountedRequest = { sentAt: now, timeoutMs, mark: 0, lease, returnsAt: undefined };
    this.#own.take(now);
    this.#recovery.sent();
    this.#counted.add(counted);
    return counted;
  }

  answered(counted: CountedRequest, now: number): void {
    this.#recovery.ended(counted.sentAt, true);
    this.#returnAt(counted, this.#own.answered(now));
  }

  neverSent(counted: CountedRequest): void {
    this.#recovery.ended(counted.sentAt, false);
    this.#own.neverSent();
    this.#isBack(counted);
  }

  abandoned(counted: CountedRequest, now: number): void {
    this.#recovery.ended(counted.sentAt, false);
    this.#returnAt(counted, this.#own.abandoned(now, counted.sentAt, counted.timeoutMs));
  }

  timedOut(counted: CountedRequest, now: number): void {
    this.#recovery.ended(counted.sentAt, false);
    this.#returnAt(counted, this.#own.timedOut(now, counted.timeoutMs));
  }

  block(until: number): void {
    if (until <= this.#blockedUntil) return;
    this.#blockedUntil = until;
    this.#recovery.begin(until);
    this.giveBack(this.#inHand.length);
  }

  isIdle(now: number): boolean {
    return !this.isOpen && this.#counted.size === 0 && now >= this.#blockedUntil;
  }

  /** A lease begins. */
  receive(lease: Lease): void {
    this.#used += 1;
    this.#place(lease);
  }

  /** Gives back the oldest leases in hand. */
  giveBack(count: number): void {
    for (const { lease } of this.#inHand.splice(0, count)) this.#end(lease);
  }

  /** Gives back leases in hand since before then, or that would not outlive a request that began now. */
  giveBackStale(before = -Infinity): void {
    for (const held of this.#inHand.splice(0)) {
      if (held.since < before || !this.#keeper.isGood(held.lease)) this.#end(held.lease);
      else this.#inHand.push(held);
    }
  }

  /** Permits out in all processes, as Redis counts them. */
  countIs(used: number): void {
    this.#used = used;
  }

  /** The limit cannot be shared: this process goes on by itself, as one of so many. */
  goAlone(now: number, processes: number): void {
    if (this.mode === 'alone') return;
    this.giveBack(this.#inHand.length);
    const own = this.#own.used(now);
    this.#share.begin({ now, processes, own, used: this.mode === 'shared' ? this.#used : 0 });
    this.mode = 'alone';
  }

  /** Redis has forgotten all leases. */
  leasesLost(): void {
    this.#inHand.length = 0;
    this.#counted.uncover();
  }

  /** Covers requests that went out without a lease by leases that nobody needs any more. */
  cover(spare: () => Lease | undefined): void {
    while (this.uncovered > 0) {
      const lease = spare();
      if (lease === undefined) return;
      this.#counted.cover(lease);
    }
  }

  #takeInHand(): Lease | undefined {
    this.giveBackStale();
    return this.#inHand.shift()?.lease;
  }

  #returnAt(counted: CountedRequest, at: number): void {
    counted.returnsAt = at;
    const { later, now } = this.#keeper;
    const check = () => {
      const ms = at - now();
      // A timer may fire early: the clock decides.
      if (ms > 0) later(ms, check);
      else this.#isBack(counted);
    };
    check();
  }

  #isBack(counted: CountedRequest): void {
    const { lease } = counted;
    this.#counted.delete(counted);
    if (lease !== undefined) {
      const { isGood, mayKeep } = this.#keeper;
      if (isGood(lease) && mayKeep(this.out + this.inHand)) this.#place(lease);
      else this.#end(lease);
    }
    this.#keeper.onReturn();
  }

  /** For a request that went out without a lease, else in hand, if it can be used. */
  #place(lease: Lease): void {
    const now = this.#keeper.now();
    if (this.#counted.cover(lease)) return;
    if (this.mode === 'shared' && now >= this.#blockedUntil) this.#inHand.push({ lease, since: now });
    else this.#end(lease);
  }

  #end(lease: Lease): void {
    this.#used = Math.max(0, this.#used - 1);
    lease.end();
  }
}
