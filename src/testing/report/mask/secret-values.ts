import { isUnique, REDACTED } from '../../service/wire/redacted.ts';
import type { Finder, Found } from './hide.ts';

/** Finds secrets by their values. */
export class SecretFinder implements Finder {
  readonly #pattern: RegExp;
  readonly shortest: number;

  constructor(values: Iterable<string>) {
    const all = [...new Set(values)].filter(isUnique).sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(all.map((value) => value.replace(/\W/g, '\\$&')).join('|') || '(?!)', 'g');
    this.shortest = Math.min(...all.map(({ length }) => length));
  }

  find(text: string): readonly Found[] {
    return Array.from(text.matchAll(this.#pattern), ({ 0: { length }, index }) => ({
      from: index,
      to: index + length,
      shown: REDACTED,
    }));
  }
}
