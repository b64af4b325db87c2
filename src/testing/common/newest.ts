/** Keeps the newest items. Drops the oldest first, and counts the dropped items. */
export class Newest<Item> {
  readonly #most: number;
  readonly #onDrop: (item: Item) => void;
  #items: Item[] = [];
  /** The index of the oldest item: the array is shortened rarely. */
  #from = 0;
  /** The number of dropped items. */
  omitted = 0;

  /** @param onDrop - Runs for each dropped item. */
  constructor(most: number, onDrop: (item: Item) => void) {
    this.#most = most;
    this.#onDrop = onDrop;
  }

  get length(): number {
    return this.#items.length - this.#from;
  }

  get oldest(): Item | undefined {
    return this.#items[this.#from];
  }

  /** All kept items, oldest first. */
  get all(): Item[] {
    return this.#items.slice(this.#from);
  }

  push(item: Item): void {
    this.#items.push(item);
    if (this.length > this.#most) this.shift();
  }

  /** Removes an item that is wanted no longer. It counts as if it had never been there. */
  remove(item: Item, onRemove: (item: Item) => void): void {
    this.#items = this.all.filter((one) => one !== item);
    this.#from = 0;
    onRemove(item);
  }

  /** Puts an item back, after those that come before it. */
  insert(item: Item, isBefore: (one: Item) => boolean): void {
    const items = this.all;
    const at = items.findLastIndex(isBefore) + 1;
    this.#items = [...items.slice(0, at), item, ...items.slice(at)];
    this.#from = 0;
    if (this.length > this.#most) this.shift();
  }

  /** Drops the oldest item. */
  shift(): void {
    const item = this.oldest;
    if (item === undefined) return;
    this.#from += 1;
    this.omitted += 1;
    if (this.#from > this.#most) {
      this.#items = this.all;
      this.#from = 0;
    }
    this.#onDrop(item);
  }
}
