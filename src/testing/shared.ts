/**
 * What several records have in common, such as the content of an email with many recipients. A snapshot has it once, and
 * the records have its number.
 */
export class SharedValues {
  readonly values: unknown[] = [];
  readonly #numbers = new Map<object, number>();

  /** The number of an object. What it is written as is asked once. */
  numberOf<T extends object>(value: T, written: (value: T) => unknown): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.values.push(written(value));
    const number = this.values.length - 1;
    this.#numbers.set(value, number);
    return number;
  }
}

/** The values of a snapshot, each read once: what had a value in common has it in common again. */
export class ReadValues {
  readonly #values: readonly unknown[];
  readonly #read = new Map<number, unknown>();

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  /** The value with a number. `read` checks it, and makes of it what it was. */
  at<T>(number: number, read: (value: unknown, name: string) => T): T {
    if (!this.#read.has(number)) {
      this.#read.set(number, read(this.#values[number], `snapshot.shared[${number}]`));
    }
    return this.#read.get(number) as T;
  }
}
