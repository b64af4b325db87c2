/** A small seeded generator (mulberry32): the same seed makes the same emulator on every machine. */
export class Random {
  /** What the next draw depends on. */
  state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
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

  /** Lowercase hexadecimal digits. */
  hex(length: number): string {
    let digits = '';
    while (digits.length < length) digits += this.between(0, 15).toString(16);
    return digits;
  }

  /** A UUID of version 4. */
  uuid(): string {
    const digits = this.#word() + this.#word() + this.#word() + this.#word();
    const variant = '89ab'[this.between(0, 3)] ?? '8';
    const part = (from: number, to: number) => digits.slice(from, to);
    return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-${variant}${part(17, 20)}-${part(20, 32)}`;
  }

  /** Eight hexadecimal digits in one draw. */
  #word(): string {
    return Math.floor(this.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  }
}
