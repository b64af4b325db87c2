import { jsonOf } from '../kit/json-of.ts';

/** Turns integers beyond a number's precision into strings, because such an id would change its value. */
function withLongIds(json: string): string {
  let isInString = false;
  return json.replace(/\\.|"|-?\d[\d.eE+-]*/g, (part) => {
    if (part === '"') isInString = !isInString;
    const isLong = !isInString && /^-?\d+$/.test(part) && !Number.isSafeInteger(Number(part));
    return isLong ? `"${part}"` : part;
  });
}

/** Sixteen digits in a row. Written out, because V8 matches it several times faster than `\d{16}`. */
const LONG_NUMBER = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/**
 * The maximum nesting of lists and objects. Responses of the service stay far below. A parser uses many bytes of memory
 * per opening bracket, and code that reads the result may overflow the stack.
 */
export const MAX_JSON_DEPTH = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The position of the quote that closes the string beginning at `start`; the end of the JSON, if there is none. */
function endOfText(json: string, start: number): number {
  let end = start;
  for (;;) {
    end = json.indexOf('"', end + 1);
    if (end < 0) return json.length;
    let firstBackslash = end;
    while (json.charCodeAt(firstBackslash - 1) === BACKSLASH) firstBackslash -= 1;
    // After an odd number of backslashes, the last one escapes the quote.
    if ((end - firstBackslash) % 2 === 0) return end;
  }
}

/**
 * Whether JSON has more than {@link MAX_JSON_DEPTH} opening brackets, in its strings or outside; with fewer it cannot
 * be nested deeper. Counting them is several times faster than following the levels, and enough for most responses.
 */
function mayBeNestedTooDeeply(json: string): boolean {
  if (json.length <= MAX_JSON_DEPTH) return false;
  let count = 0;
  for (const open of ['{', '[']) {
    for (let at = json.indexOf(open); at >= 0; at = json.indexOf(open, at + 1)) {
      count += 1;
      if (count > MAX_JSON_DEPTH) return true;
    }
  }
  return false;
}

/** Whether JSON has more than {@link MAX_JSON_DEPTH} levels, without parsing it. */
export function isNestedTooDeeply(json: string): boolean {
  if (!mayBeNestedTooDeeply(json)) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) at = endOfText(json, at);
    else if (char === OPEN_LIST || char === OPEN_OBJECT) depth += 1;
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}

/** The rule for text with half of a surrogate pair, such as of an emoji that was cut in two. */
export const HALF_PAIR = 'must not have half of a surrogate pair, such as of an emoji that was cut in two';

/** Whether text has half of a surrogate pair: strict parsers refuse the JSON. */
export const hasHalfPair = (text: string): boolean => /[\ud800-\udfff]/u.test(text);

/** The path of a text with half of a surrogate pair, in a value whose JSON has it; undefined if there is none. */
export function halfPairIn(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return hasHalfPair(value) ? path : undefined;
  for (const [name, field] of Object.entries(Object(value) as object)) {
    const place = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const found = hasHalfPair(name) ? `${path}.?` : halfPairIn(field, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Parses JSON; undefined for other text, or if it is nested too deeply. Integers beyond a number's precision become
 * strings.
 */
export function parseJson(text = ''): unknown {
  if (isNestedTooDeeply(text)) return undefined;
  const value = jsonOf(text);
  return value !== undefined && LONG_NUMBER.test(text) ? jsonOf(withLongIds(text)) : value;
}

/** A piece of JSON: text, or the encoded content of an attachment, which is inside a string. */
export type JsonPart = string | Blob;

/** The pieces as one request body: a string if all of them are text. */
export function joined(parts: readonly JsonPart[]): JsonPart {
  const [first = '', ...others] = parts;
  if (others.length === 0) return first;
  return parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob(parts as JsonPart[]);
}

/** The JSON with an empty string for each attachment's content. */
export const withoutContents = (parts: readonly JsonPart[]): string =>
  parts.filter((part) => typeof part === 'string').join('');

/** Bytes of the pieces in UTF-8. Measures text without a Blob, because creating one takes several times as long. */
export function bytesOf(parts: readonly JsonPart[]): number {
  const utf8 = new TextEncoder();
  return parts.reduce(
    (sum, part) => sum + (typeof part === 'string' ? utf8.encode(part).length : part.size),
    0,
  );
}
