import type { RateLimit } from '../core/throttle.ts';
import { ReleaseTimes } from './release-times.ts';

/** How permits are handed out: as they come, or spread over the window. */
export type Pace = 'burst' | 'even';

/**
 * Permits of one pool, for one limit. Pure: every moment is passed in, on one clock that never goes back.
 *
 * The service counts a request at some moment between its sending and the arrival of its answer's headers. A permit
 * is taken before the one and comes back a whole window after the other, so of any requests counted within one
 * window, the last one sent found all the others' permits still out. There can therefore be no more of them than
 * there are permits, wherever the service lets its windows begin and however long the answers take.
 */
export class RateWindow {
  readonly requests: number;
  readonly perMs: number;
  readonly #gapMs: number;
  readonly #returning = new ReleaseTimes();
  #inFlight = 0;
  #taken = 0;
  #pacedUntil = -Infinity;
  #sorted: Float64Array | undefined;

  constructor(limit: RateLimit, pace: Pace = 'burst') {
    this.requests = limit.requests;
    this.perMs = limit.perMs;
    this.#gapMs = pace === 'even' ? limit.perMs / limit.requests : 0;
  }

  /** Permits out: requests in flight, and those that ended less than a window ago. */
  used(now: number): number {
    if (this.#returning.dropUntil(now)) this.#sorted = undefined;
    return this.#inFlight + this.#returning.size;
  }

  /** Permits taken since the beginning. */
  get taken(): number {
    return this.#taken;
  }

  /** When the pace allows the next request. */
  get pacedUntil(): number {
    return this.#pacedUntil;
  }

  /** When the next permit comes back, as far as is known: one in flight has no such time yet. */
  get nextReturn(): number {
    return this.#returning.earliest;
  }

  /** Takes a permit; the caller has made sure that `used` is below `requests` and the pace allows it. */
  take(now: number): void {
    this.#inFlight += 1;
    this.#taken += 1;
    if (this.#gapMs > 0) this.#pacedUntil = now + this.#gapMs;
  }

  /** The headers of the answer arrived: the request was counted by now. Tells when its permit comes back. */
  answered(now: number): number {
    return this.#returnAt(now + this.perMs);
  }

  /** The request provably never left: nobody counted it. */
  neverSent(): void {
    this.#inFlight -= 1;
  }

  /** The caller gave up or the connection broke: it may still be counted until its time would have been over. */
  abandoned(now: number, sentAt: number, timeoutMs: number): number {
    return this.#returnAt(Math.max(now, sentAt + timeoutMs) + this.perMs);
  }

  /** No answer in time: it may be stuck on its way for as long again. */
  timedOut(now: number, timeoutMs: number): number {
    return this.#returnAt(now + timeoutMs + this.perMs);
  }

  /**
   * When the `nth` permit from now (1 is the next) can be expected, if each is answered at once. `held` of them are
   * kept from us until `heldUntil`; nothing goes before `openAt`.
   */
  expect(
    nth: number,
    now: number,
    { held, heldUntil, openAt }: { held: number; heldUntil: number; openAt: number },
  ): number {
    const opensAt = Math.max(now, openAt, this.#pacedUntil);
    const free = this.requests - this.used(now) - held;
    const round = Math.floor((nth - 1) / this.requests);
    const place = (nth - 1) % this.requests;
    const first = place < free ? now : this.#returnOf(place - free, now, held, heldUntil);
    const byWindow = Math.max(opensAt, first) + round * this.perMs;
    return Math.max(byWindow, opensAt + (nth - 1) * this.#gapMs);
  }

  /** When the permit at `index` among all that are out comes back. */
  #returnOf(index: number, now: number, held: number, heldUntil: number): number {
    this.#sorted ??= this.#returning.sorted();
    let before = 0;
    // Those held back all end at one time, and so do those in flight; the others have their own.
    for (const [time, size] of [
      [heldUntil, held],
      [now + this.perMs, this.#inFlight],
    ] as const) {
      const earlier = countUpTo(this.#sorted, time);
      if (index < earlier + before) break;
      if (index < earlier + before + size) return time;
      before += size;
    }
    return this.#sorted[index - before] ?? now + this.perMs;
  }

  #returnAt(time: number): number {
    this.#inFlight -= 1;
    this.#returning.add(time);
    this.#sorted = undefined;
    return time;
  }
}

/** How many of the sorted times are not after `time`. */
function countUpTo(sorted: Float64Array, time: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
