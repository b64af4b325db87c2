import { jsonOf } from '../../../kit/json-of.ts';
import { readingsOf } from './readings.ts';
import { remembered } from './remembered.ts';

/** A part of a text, and the text to show in its place. */
export interface Found {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

/** Finds what must not be shown in a text whose escapes are resolved. */
export type Finder = (text: string) => readonly Found[];

/** A text in JSON, or the name of a field. */
const JSON_TEXT = /"(?:[^"\\]|\\.)*"/g;

/** Replaces what a finder finds in a text. Takes time in proportion to the text, and never throws. */
export class Hiding {
  readonly text: (text: string) => string;

  /** @param rest - Changes each text after that. */
  constructor(finder: Finder, rest = (text: string) => text) {
    this.text = remembered((text) => {
      const found: Found[] = [];
      for (const reading of readingsOf(text))
        for (const part of finder(reading.text)) {
          const [from, to] = reading.rangeOf(part.from, part.to);
          found.push({ from, to, shown: part.shown + tagsIn(text.slice(from, to)) });
        }
      return rest(replaced(text, found));
    });
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
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text) && jsonOf(text) !== undefined;

/** The tags in a part that is replaced, without their attributes. */
const tagsIn = (part: string): string =>
  Array.from(part.matchAll(/<(\/?[a-z][a-z\d]{0,20})[^<>]{0,1000}>/gi), ([, name]) => `<${name}>`).join('');

/** A text with parts of it replaced. Of parts that overlap, the first one's text stands for all. */
function replaced(text: string, found: readonly Found[]): string {
  let result = '';
  let done = 0;
  for (const { from, to, shown } of [...found].sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= done) result += text.slice(done, from) + shown;
    done = Math.max(done, to);
  }
  return result + text.slice(done);
}

/** A copy of a value of JSON with every text and every name of a field changed. */
export function inAll<Value>(value: Value, change: (text: string) => string): Value {
  const copy = (one: unknown): unknown => {
    if (typeof one === 'string') return change(one);
    if (Array.isArray(one)) return one.map(copy);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, field]) => [change(name), copy(field)]));
  };
  return copy(value) as Value;
}
