import { fieldOf } from '../core/record.ts';
import { MAX_BELIEVED_WAIT_MS } from '../core/runtime.ts';
import type { PoolName, RateLimit, RateLimitWindows } from '../core/limits.ts';
import type { AlignedWindows } from './aligned-windows.ts';
import { returnsAt, type Ending, type GrantedPermit, type LimitCount, type Pace } from './permit-window.ts';

/** An upper bound, so that one slow response does not stop a pool with a window of a minute. */
const LONGEST_SLOW_START_MS = 10_000;

/** Permits held back for other clients, and the time at which they are free again. */
export interface HeldBack {
  readonly held: number;
  readonly heldUntil: number;
}

/**
 * One limit of one token or account: decides whether a request may be sent now. It counts its own permits and the
 * permits set aside for other clients, and closes after a refusal. Pure: the time is passed in.
 */
export class Pool {
  readonly name: PoolName;
  readonly limit: RateLimit;
  /** Queued permits that need this pool; kept by the throttle. */
  waiting = 0;
  /** Cancels the timer that looks for room again; kept by the throttle. */
  stopAlarm: (() => void) | undefined;
  /** The time until which the service refuses requests. */
  blockedUntil = -Infinity;
  /** The times at which the permits of ended requests return, by the rule of {@link returnsAt}; sorted. */
  readonly #returns: number[] = [];
  readonly #gapMs: number;
  #inFlight = 0;
  #taken = 0;
  /** The time at which an even pace allows the next request. */
  #pacedUntil = -Infinity;
  /** The number of further requests that a slow start allows. */
  #slowStart = 1;
  /**
   * Permits of other clients, as computed from responses; the largest number first, because a smaller one may last
   * longer.
   */
  #foreign: readonly HeldBack[] = [];

  readonly #aligned: AlignedWindows | undefined;

  constructor(name: PoolName, limit: RateLimit, pace?: Pace, aligned?: AlignedWindows) {
    this.name = name;
    this.limit = limit;
    this.#aligned = aligned;
    this.#gapMs = pace === 'even' ? limit.perMs / limit.requests : 0;
  }

  /** Own permits in use: of requests in flight, and of ended requests that the service may still count. */
  own(now: number): number {
    while (this.nextReturn <= now) this.#returns.shift();
    return this.#inFlight + this.#returns.length;
  }

  /** Permits in use, by all processes that share the pool. */
  used(now: number): number {
    const aligned = this.windows(now) === 'aligned' ? this.#aligned?.used(now) : undefined;
    return aligned ?? Math.min(this.limit.requests, this.own(now));
  }

  /** Whether permits return at the ends of aligned windows now; undefined if that was never wanted. */
  windows(now: number): RateLimitWindows | undefined {
    return this.#aligned?.kind(now);
  }

  /** Permits left, even if the pace does not allow taking one yet. */
  left(now: number): number {
    if (now < this.blockedUntil) return 0;
    return Math.max(0, this.limit.requests - this.own(now) - this.heldBack(now).held);
  }

  /**
   * The number of requests that the slow start allows now: one after a refusal, then one more for each response. Other
   * clients may have filled the window too, and the service would refuse a burst into a full window.
   */
  allowed(now: number): number {
    return now < this.#slowUntil ? this.#slowStart : Infinity;
  }

  /**
   * The time at which a request may be sent: `now` if a permit is free, otherwise the earliest time at which one may
   * be; Infinity if only the end of a request in flight can free one.
   */
  roomAt(now: number): number {
    const opensAt = Math.max(this.blockedUntil, this.#pacedUntil);
    if (opensAt > now) return opensAt;
    if (this.allowed(now) < 1) return this.#slowUntil;
    if (this.left(now) > 0) return now;
    const { held, heldUntil } = this.heldBack(now);
    const early = held > 0 ? undefined : this.#aligned?.roomAt(now);
    return Math.min(this.nextReturn, heldUntil, early ?? Infinity);
  }

  /** The time at which the `nth` request from now (1 is the next) can be sent, if every response arrives at once. */
  expect(nth: number, now: number): number {
    const { requests, perMs } = this.limit;
    const { held, heldUntil } = this.heldBack(now);
    const opensAt = Math.max(now, this.blockedUntil, this.#pacedUntil);
    const free = requests - this.own(now) - held;
    const place = (nth - 1) % requests;
    const round = Math.floor((nth - 1) / requests);
    const inFlight = new Array<number>(this.#inFlight).fill(now + perMs);
    const setAside = new Array<number>(held).fill(heldUntil);
    const returns = [...this.#returns, ...inFlight, ...setAside].sort((one, other) => one - other);
    const first = Math.max(opensAt, returns[place - free] ?? now);
    return Math.max(first + round * perMs, opensAt + (nth - 1) * this.#gapMs);
  }

  /** Counts a permit that is granted now; the pool must have room. */
  take(permit: GrantedPermit, now: number): void {
    if (this.name === 'token') permit.baseline = this.own(now) - this.#taken;
    this.#aligned?.take(permit, this.left(now) === 0, now);
    this.#inFlight += 1;
    this.#taken += 1;
    this.#pacedUntil = now + this.#gapMs;
    this.#slowStart -= 1;
  }

  /**
   * Whether a permit in use certainly still counts one window after `ms` milliseconds from now. Always true in one
   * process.
   */
  lasts(_permit: GrantedPermit, _ms: number): boolean {
    return true;
  }

  /**
   * Ends a request; `counts` are the counts in its response's headers. Returns the time at which its permit returns.
   */
  end(permit: GrantedPermit, ending: Ending, counts: LimitCount, now: number): number {
    const isAnswered = ending === 'answered';
    if (isAnswered && this.name === 'token') this.#seen(counts, permit.baseline, now);
    // Only permits granted since the pool reopened count for the slow start.
    if (permit.grantedAt >= this.blockedUntil) this.#slowStart += isAnswered ? 2 : 1;
    const at = returnsAt(ending, permit, this.limit.perMs, now);
    this.#aligned?.end(permit, ending, this.name === 'token' ? counts : { date: counts.date }, at, now);
    this.#inFlight -= 1;
    this.#returns.splice(this.#returns.findLastIndex((other) => other <= at) + 1, 0, at);
    return at;
  }

  /** Closes the pool, because the service refuses all requests for this time; limited to an hour. */
  block(ms: number, now: number): void {
    const until = now + Math.min(ms, MAX_BELIEVED_WAIT_MS);
    if (!(until > Math.max(now, this.blockedUntil))) return;
    this.blockedUntil = until;
    this.#slowStart = 1;
    // The service's window ends at that time, and so do its present counts.
    this.#foreign = [];
  }

  /**
   * The service refused a request. If no other client is known to use the limit, its windows are taken for unknown for
   * an hour. Returns whether that is new.
   */
  distrust(now: number): boolean {
    return this.heldBack(now).held === 0 && this.#aligned?.distrust(now) === true;
  }

  /** Whether the pool can be forgotten: no permit waits, all are returned, it is open, and no refusal counts. */
  isIdle(now: number): boolean {
    return this.waiting === 0 && this.left(now) === this.limit.requests && this.windows(now) !== 'unknown';
  }

  /** The earliest known time at which a permit returns; unknown for a request in flight. */
  protected get nextReturn(): number {
    return this.#returns[0] ?? Infinity;
  }

  get #slowUntil(): number {
    return this.blockedUntil + Math.min(this.limit.perMs, LONGEST_SLOW_START_MS);
  }

  /** Permits that are set aside for other clients. */
  protected heldBack(now: number): HeldBack {
    const foreign = this.#foreign.find(({ heldUntil }) => heldUntil > now);
    return foreign ?? { held: 0, heldUntil: Infinity };
  }

  /**
   * Sets aside, for one window, the permits that other clients of the same limit use. Own permits are those in use when
   * this permit was granted, and all granted since: the service may have counted each of them.
   */
  #seen(counts: LimitCount, baseline: number, now: number): void {
    const countOf = (name: keyof LimitCount) => (fieldOf(counts, name) ?? Infinity) as number;
    const [limit, remaining] = [countOf('limit'), countOf('remaining')];
    // If the service allows more than our limit, other clients may use the difference without taking from our share.
    const held = Math.min(limit, this.limit.requests) - remaining - baseline - this.#taken;
    if (held <= 0 || now < this.blockedUntil) return;
    const larger = this.#foreign.filter((each) => each.held > held);
    this.#foreign = [...larger, { held, heldUntil: now + this.limit.perMs }];
  }
}
