/**
 * Times at which permits are returned, the earliest first. A binary heap: nearly every new time is the latest so far,
 * and costs one step; but the permit of an abandoned request is returned later than those of requests answered since.
 */
export class ReleaseTimes {
  readonly #heap: number[] = [];

  /** Number of times. */
  get size(): number {
    return this.#heap.length;
  }

  /** The earliest, or Infinity if there is none. */
  get earliest(): number {
    return this.#heap[0] ?? Infinity;
  }

  /** Adds one. */
  add(time: number): void {
    const heap = this.#heap;
    let hole = heap.length;
    heap.push(time);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = heap[parent] ?? -Infinity;
      if (above <= time) break;
      heap[hole] = above;
      hole = parent;
    }
    heap[hole] = time;
  }

  /** Removes the times up to `now`; true if there were any. */
  dropUntil(now: number): boolean {
    if (this.earliest > now) return false;
    while (this.earliest <= now) this.#dropEarliest();
    return true;
  }

  /** A sorted copy. */
  sorted(): Float64Array {
    return Float64Array.from(this.#heap).sort();
  }

  #dropEarliest(): void {
    const heap = this.#heap;
    const moved = heap.pop();
    if (moved === undefined || heap.length === 0) return;
    let hole = 0;
    for (;;) {
      const left = 2 * hole + 1;
      const right = left + 1;
      const leftTime = heap[left] ?? Infinity;
      const rightTime = heap[right] ?? Infinity;
      const child = rightTime < leftTime ? right : left;
      const below = Math.min(leftTime, rightTime);
      if (below >= moved) break;
      heap[hole] = below;
      hole = child;
    }
    heap[hole] = moved;
  }
}
