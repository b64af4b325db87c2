/** Requests of others on the same limit, as an answer showed them. */
interface Sighting {
  readonly amount: number;
  readonly until: number;
}

/**
 * The share of a limit that others use: programs with the same token, elsewhere. What one answer shows of them is
 * believed for one window, and what several show as their maximum. Pure, like the rate window.
 */
export class ForeignUse {
  /** Amounts fall and times rise from first to last, so the first is the maximum; at most one per amount. */
  #sightings: Sighting[] = [];

  /** Permits kept back for them now. */
  held(now: number): number {
    let first = this.#sightings[0];
    while (first !== undefined && first.until <= now) {
      this.#sightings.shift();
      first = this.#sightings[0];
    }
    return first?.amount ?? 0;
  }

  /** Until when as many are kept back as now; Infinity when none is. */
  get heldUntil(): number {
    return this.#sightings[0]?.until ?? Infinity;
  }

  /** An answer showed `amount` requests of others; none of them is counted any longer after `until`. */
  seen(amount: number, until: number): void {
    if (amount <= 0) return;
    while ((this.#sightings.at(-1)?.amount ?? Infinity) <= amount) this.#sightings.pop();
    this.#sightings.push({ amount, until });
  }

  /** The service names the end of its window: nothing seen in it counts after that. */
  endAt(end: number): void {
    const most = this.#sightings.find(({ until }) => until >= end);
    this.#sightings = this.#sightings.filter(({ until }) => until < end);
    if (most !== undefined) this.#sightings.push({ amount: most.amount, until: end });
  }
}
