/** Sixteen bits as four hexadecimal digits. */
const hex = (bits: number): string => (0x10000 | bits).toString(16).slice(1);

/** A small seeded generator (mulberry32). The same seed gives the same numbers on every machine. */
export class Random {
  readonly #position: { next: number };

  /** @param from - a seed, or a position that each draw moves. */
  constructor(from: number | { next: number } = 0) {
    this.#position = typeof from === 'number' ? { next: from >>> 0 } : from;
  }

  /** A number in [0, 1). */
  next(): number {
    let mixed = (this.#position.next + 0x6d2b79f5) >>> 0;
    this.#position.next = mixed;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** One of the given values. */
  pick<const T extends readonly [unknown, ...unknown[]]>(values: T): T[number] {
    return values[this.between(0, values.length - 1)] ?? values[0];
  }

  /** Random lowercase hexadecimal digits. */
  hex(length: number): string {
    let digits = '';
    while (digits.length < length) digits += this.between(0, 15).toString(16);
    return digits;
  }

  /** A UUID of version 4. */
  uuid(): string {
    const first = this.#word();
    const second = this.#word();
    const third = this.#word();
    const fourth = this.#word();
    const variant = 8 + this.between(0, 3);
    // Digit 13 is the version, digit 17 the variant.
    return [
      hex(first >>> 16) + hex(first & 0xffff),
      hex(second >>> 16),
      hex(0x4000 | (second & 0x0fff)),
      hex((variant << 12) | ((third >>> 16) & 0x0fff)),
      hex(third & 0xffff) + hex(fourth >>> 16) + hex(fourth & 0xffff),
    ].join('-');
  }

  /** Thirty-two bits in one draw. */
  #word(): number {
    return Math.floor(this.next() * 2 ** 32);
  }
}

/** A generator without a seed: its ids are new in every process. */
export class FreshRandom extends Random {
  override next(): number {
    return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
  }
}
