/** Requests of other clients, as one response showed them. */
interface Sighting {
  readonly amount: number;
  readonly until: number;
}

/**
 * The part of a limit that other clients of the same token use. What a response shows of it counts for one window, as
 * those requests do at the service; of several responses the largest amount counts, since they may show the same
 * requests. Pure, like the rate window.
 */
export class ForeignUse {
  /** Amounts fall and times rise from first to last: the first is the maximum, and the next one counts after it. */
  #sightings: Sighting[] = [];

  /** Permits set aside for other clients now. */
  held(now: number): number {
    let first = this.#sightings[0];
    while (first !== undefined && first.until <= now) {
      this.#sightings.shift();
      first = this.#sightings[0];
    }
    return first?.amount ?? 0;
  }

  /** Until when that many are set aside; Infinity if none are. */
  get heldUntil(): number {
    return this.#sightings[0]?.until ?? Infinity;
  }

  /** A response showed `amount` requests of other clients, which the service counts until `until` at the latest. */
  seen(amount: number, until: number): void {
    if (amount <= 0) return;
    while ((this.#sightings.at(-1)?.amount ?? Infinity) <= amount) this.#sightings.pop();
    this.#sightings.push({ amount, until });
  }

  /** The service's window ends at `end`: nothing seen before counts any longer than that. */
  endAt(end: number): void {
    const most = this.#sightings.find(({ until }) => until >= end);
    this.#sightings = this.#sightings.filter(({ until }) => until < end);
    if (most !== undefined) this.#sightings.push({ amount: most.amount, until: end });
  }
}
