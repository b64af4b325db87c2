/**
 * Points in time, the earliest first. A binary heap: nearly every time is later than all before it and costs one
 * step, but a permit whose request was given up comes back later than those answered after it.
 */
export class ReleaseTimes {
  readonly #heap: number[] = [];

  /** How many there are. */
  get size(): number {
    return this.#heap.length;
  }

  /** The earliest, or Infinity. */
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

  /** Takes away those that are over at `now`; true when there were any. */
  dropUntil(now: number): boolean {
    if (this.earliest > now) return false;
    while (this.earliest <= now) this.#dropEarliest();
    return true;
  }

  /** A copy in order. */
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
