import { Packings, textsOf, type Packed } from './packed.ts';
import { readingsOf } from './readings.ts';

/** A part of a text, and the text to show in its place. */
export interface Found {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

/** Finds what must not be shown in a text whose escapes are resolved. */
export interface Finder {
  /** The length of the shortest text that it finds; `Infinity` if it finds none. */
  readonly shortest: number;
  find(text: string): readonly Found[];
}

/** A text in JSON, or the name of a field. */
const JSON_TEXT = /"(?:[^"\\]|\\.)*"/g;

/** Stands for a packed text, such as a token, that has an address in it. */
const HIDDEN = '***';
/** The deepest packed text that is read: base64 of base64 of base64 of base64. */
const DEPTH = 4;
const MOST_KNOWN = 20_000;

/**
 * Replaces what a finder finds in a text, however its characters are written, and packed texts that have it in them. It
 * takes time in proportion to the text, and never throws.
 */
export class Hiding {
  readonly #finder: Finder;
  readonly #packings: Packings;
  readonly #known = new Map<string, string>();
  /** Whether something is found in a packed text. The same one stands in several readings of a text. */
  readonly #held = {
    base64: new Map<string, boolean>(),
    hex: new Map<string, boolean>(),
    words: new Map<string, boolean>(),
  };

  constructor(finder: Finder) {
    this.#finder = finder;
    this.#packings = new Packings(finder.shortest);
  }

  text(text: string): string {
    if (text.length < this.#finder.shortest) return text;
    // Most texts come again: names of headers, and the fields of an email in the request that sent it.
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const hidden = this.#hidden(text);
    if (this.#known.size < MOST_KNOWN) this.#known.set(text, hidden);
    return hidden;
  }

  /** The same for a text that may be JSON: each text in it is then read by itself, without the escapes of JSON. */
  body(body: string): string {
    if (!isJson(body)) return this.text(body);
    return body.replace(JSON_TEXT, (written) => {
      const text = JSON.parse(written) as string;
      const hidden = this.text(text);
      return hidden === text ? written : JSON.stringify(hidden);
    });
  }

  #hidden(text: string): string {
    const found: Found[] = [];
    for (const reading of readingsOf(text)) {
      const add = (part: Found) => {
        const [from, to] = reading.rangeOf(part.from, part.to);
        found.push({ from, to, shown: part.shown });
      };
      for (const part of this.#finder.find(reading.text)) add(part);
      for (const packed of this.#packings.in(reading.text))
        for (const { from, to } of this.#partsToHide(packed)) add({ from, to, shown: HIDDEN });
    }
    return replaced(text, found);
  }

  /** Of a path, only the steps in which something is found are hidden; then what is found across the other steps. */
  *#partsToHide(packed: Packed): Iterable<Packed> {
    let start = packed.from;
    const between = (end: number) =>
      this.#packings.base64(packed.run.slice(start - packed.from, end - packed.from), start);
    for (const step of packed.steps) {
      if (!this.#holds(step)) continue;
      const others = between(step.from);
      if (this.#holds(others)) yield others;
      yield step;
      start = step.to;
    }
    const rest = start === packed.from ? packed : between(packed.to);
    if (this.#holds(rest)) yield rest;
  }

  #holds(packed: Packed): boolean {
    const held = this.#held[packed.kind];
    const known = held.get(packed.run);
    if (known !== undefined) return known;
    const holds = this.#isInAny(textsOf(packed), DEPTH - 1);
    if (held.size < MOST_KNOWN) held.set(packed.run, holds);
    return holds;
  }

  #isInAny(texts: Iterable<string>, depth: number): boolean {
    for (const text of texts) if (this.#isIn(text, depth)) return true;
    return false;
  }

  #isIn(text: string, depth: number): boolean {
    for (const reading of readingsOf(text)) {
      if (this.#finder.find(reading.text).length > 0) return true;
      if (depth === 0) continue;
      for (const packed of this.#packings.in(reading.text))
        for (const part of [...packed.steps, packed])
          if (this.#isInAny(textsOf(part), depth - 1)) return true;
    }
    return false;
  }
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A text with parts of it replaced. Of parts that overlap, the first one's text stands for all. */
function replaced(text: string, found: readonly Found[]): string {
  if (found.length === 0) return text;
  let result = '';
  let done = 0;
  for (const { from, to, shown } of [...found].sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= done) result += text.slice(done, from) + shown;
    done = Math.max(done, to);
  }
  return result + text.slice(done);
}

/** A copy of a value of JSON with every text changed. */
export function inAll<Value>(value: Value, change: (text: string) => string): Value {
  const copy = (one: unknown): unknown => {
    if (typeof one === 'string') return change(one);
    if (Array.isArray(one)) return one.map(copy);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, field]) => [name, copy(field)]));
  };
  return copy(value) as Value;
}
