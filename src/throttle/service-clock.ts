/** The resolution of a `Date` header. */
const SECOND_MS = 1000;
/** How far the clock that dates the responses may be from the one that counts requests. */
const MARGIN_MS = 1000;
/** The part of the elapsed time by which two clocks may drift apart. */
const DRIFT = 0.0005;

/**
 * The service's clock, as far as the `Date` of its responses shows it. A response to a request sent at `sentAt` that
 * arrived at `now` was dated in between, and its `Date` leaves out the fraction of the second. Each response narrows
 * the two bounds of the service's time minus ours.
 */
export class ServiceClock {
  #least = -Infinity;
  #most = Infinity;
  #seenAt = 0;

  /** A response with this `Date` arrived. */
  seen(date: number, sentAt: number, now: number): void {
    const drift = DRIFT * (now - this.#seenAt);
    const [least, most] = [date - now, date + SECOND_MS - sentAt];
    const [knownLeast, knownMost] = [this.#least - drift, this.#most + drift];
    // One of the clocks was set, or ours was suspended: the latest response decides.
    const isSet = knownLeast > most || least > knownMost;
    this.#least = isSet ? least : Math.max(knownLeast, least);
    this.#most = isSet ? most : Math.min(knownMost, most);
    this.#seenAt = now;
  }

  /**
   * The time by which the window is over that counted a request by `time`; Infinity before the first `Date`. `date` is
   * that of its response, which was dated after the request was counted.
   */
  windowEnd(time: number, perMs: number, date = Infinity): number {
    const latest = Math.min(time + this.#most, date + SECOND_MS) + MARGIN_MS;
    const end = (Math.floor(latest / perMs) + 1) * perMs - this.#least + MARGIN_MS;
    return Number.isNaN(end) ? Infinity : end;
  }
}
