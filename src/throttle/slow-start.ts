/**
 * Limits the requests in flight after the service refused one: when the pool opens, to a single one, then to one more
 * for each response. Other clients may have used up the new window as well, and a burst into a full window would be a
 * burst of refusals. It ends by itself after a while, so that one slow response cannot hold up all other calls for
 * long. Pure, like the permit window.
 */
export class SlowStart {
  readonly #enough: number;
  readonly #lastsMs: number;
  #since = -Infinity;
  #allowed = Infinity;
  #inFlight = 0;

  /** It is over when `enough` requests are allowed, or after `lastsMs`. */
  constructor(enough: number, lastsMs: number) {
    this.#enough = enough;
    this.#lastsMs = lastsMs;
  }

  /** How many more requests may be sent now. */
  left(now: number): number {
    return now >= this.endsAt ? Infinity : Math.max(0, this.#allowed - this.#inFlight);
  }

  /** When it is over, at the latest. */
  get endsAt(): number {
    return this.#since + this.#lastsMs;
  }

  /** The service refuses requests until `since`. What was sent before says nothing about the time after. */
  begin(since: number): void {
    this.#since = since;
    this.#allowed = 1;
    this.#inFlight = 0;
  }

  /** A request is sent. */
  sent(): void {
    if (this.#allowed < Infinity) this.#inFlight += 1;
  }

  /** A request sent at `sentAt` has ended. */
  ended(sentAt: number, isAnswered: boolean): void {
    if (this.#allowed === Infinity || sentAt < this.#since) return;
    this.#inFlight -= 1;
    if (isAnswered) this.#allowed += 1;
    if (this.#allowed >= this.#enough) this.#allowed = Infinity;
  }
}
