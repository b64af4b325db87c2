/** The newest items of a kind. The oldest leave first, and how many have left is known. */
export class Newest<Item> {
  readonly #most: number;
  readonly #leave: (item: Item) => void;
  #items: Item[] = [];
  /** The index of the oldest item: the array is shortened rarely. */
  #from = 0;
  /** How many have left. */
  omitted = 0;

  /** @param leave - Is told of each item that leaves. */
  constructor(most: number, leave: (item: Item) => void) {
    this.#most = most;
    this.#leave = leave;
  }

  get length(): number {
    return this.#items.length - this.#from;
  }

  get oldest(): Item | undefined {
    return this.#items[this.#from];
  }

  /** All of them, oldest first. */
  get all(): Item[] {
    return this.#items.slice(this.#from);
  }

  push(item: Item): void {
    this.#items.push(item);
    if (this.length > this.#most) this.shift();
  }

  /** The oldest item leaves. */
  shift(): void {
    const item = this.oldest;
    if (item === undefined) return;
    this.#from += 1;
    this.omitted += 1;
    if (this.#from > this.#most) {
      this.#items = this.all;
      this.#from = 0;
    }
    this.#leave(item);
  }
}
