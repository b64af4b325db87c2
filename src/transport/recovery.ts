/**
 * How many requests may be on their way after the service refused one: a single one first, then one more for each
 * that is answered. Whoever else uses the limit may have taken the new room as well, and a burst into a full window
 * would be a burst of refusals. It ends by itself after a while, so that one slow answer cannot hold up all others for
 * long. Pure, like the rate window.
 */
export class Recovery {
  readonly #enough: number;
  readonly #lastsMs: number;
  #since = -Infinity;
  #allowed = Infinity;
  #inFlight = 0;

  /** It is over when `enough` are allowed, or after `lastsMs`. */
  constructor(enough: number, lastsMs: number) {
    this.#enough = enough;
    this.#lastsMs = lastsMs;
  }

  /** Whether another request may go out. */
  hasRoom(now: number): boolean {
    return this.left(now) > 0;
  }

  /** How many more may go out now. */
  left(now: number): number {
    return now >= this.endsAt ? Infinity : Math.max(0, this.#allowed - this.#inFlight);
  }

  /** When any number may go out again, at the latest. */
  get endsAt(): number {
    return this.#since + this.#lastsMs;
  }

  /** The service refuses requests until then, and what was sent before tells nothing about the time after. */
  begin(since: number): void {
    this.#since = since;
    this.#allowed = 1;
    this.#inFlight = 0;
  }

  /** A request goes out. */
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
