import type { RateLimit } from '../core/throttle.ts';
import { ReleaseTimes } from './release-times.ts';

/** How permits are granted: as soon as there is room, or spread over the window. */
export type Pace = 'burst' | 'even';

/**
 * The permits of one pool. Pure: the time is passed in, from one clock that never goes back.
 *
 * The rule: a permit is taken before its request is sent, and returned one whole window after the response headers
 * arrive. The service counts the request at some moment in between; we cannot know which. Take all requests it counted
 * within any one window: when the last of them was sent, the permits of all the others were still out. So there cannot
 * be more of them than there are permits, wherever the service's windows begin and however long responses take.
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

  /** Permits out: for requests in flight, and for those that ended but may still be counted. */
  used(now: number): number {
    if (this.#returning.dropUntil(now)) this.#sorted = undefined;
    return this.#inFlight + this.#returning.size;
  }

  /** Permits ever taken. */
  get taken(): number {
    return this.#taken;
  }

  /** When an even pace allows the next request. */
  get pacedUntil(): number {
    return this.#pacedUntil;
  }

  /** The earliest known time at which a permit is returned; for a request in flight it is not known yet. */
  get nextReturn(): number {
    return this.#returning.earliest;
  }

  /** Takes a permit. The caller must have checked that `used` is below `requests` and that the pace allows it. */
  take(now: number): void {
    this.#inFlight += 1;
    this.#taken += 1;
    if (this.#gapMs > 0) this.#pacedUntil = now + this.#gapMs;
  }

  /** The response headers arrived: the request has been counted by now. Returns when its permit is due. */
  answered(now: number): number {
    return this.#returnAt(now + this.perMs);
  }

  /** The request provably never left, so it was not counted. */
  neverSent(): void {
    this.#inFlight -= 1;
  }

  /** The call was aborted or the connection broke: the request may be counted until it would have timed out. */
  abandoned(now: number, sentAt: number, timeoutMs: number): number {
    return this.#returnAt(Math.max(now, sentAt + timeoutMs) + this.perMs);
  }

  /** No response in time: the request may be on its way for as long again. */
  timedOut(now: number, timeoutMs: number): number {
    return this.#returnAt(now + timeoutMs + this.perMs);
  }

  /**
   * When the `nth` permit from now (1 is the next) can be taken, if every request is answered at once. `held` permits
   * are set aside for other clients until `heldUntil`, and none is granted before `openAt`.
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

  /** When the permit at `index` is returned, of all that are out or set aside, in the order in which they are. */
  #returnOf(index: number, now: number, held: number, heldUntil: number): number {
    this.#sorted ??= this.#returning.sorted();
    let before = 0;
    // All that are set aside are returned at one time, and so are all in flight; each of the others has its own.
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

/** Number of sorted times up to `time`. */
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
