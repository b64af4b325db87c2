/** Texts within a text: in base64, in hexadecimal digits, and as encoded words of a header. */
import { decodedWords } from '../mailbox/raw-mail.ts';

/** A part of a text that stands for other texts. */
export interface Packed {
  readonly from: number;
  readonly to: number;
  /** What it may stand for, by the position at which its first group begins. Made when they are asked for. */
  readonly texts: () => Iterable<string>;
}

/** A long text without such a run is no text, but the bytes of a picture, for instance. */
const READABLE = /[\0\t\r\n -~]{16}/;
const LONG = 1_000;

/** Encoded words of a header (RFC 2047), which may break an address in two. */
const WORDS =
  /=\?[\w.*-]{1,40}\?[bq]\?[^?\s]{0,2000}\?=(?:\s{1,4}=\?[\w.*-]{1,40}\?[bq]\?[^?\s]{0,2000}\?=)*/gi;

/** Finds packed texts. */
export class Packings {
  /** Base64 of either alphabet: a token in a link, or a whole body. The lines of a body belong together. */
  readonly #base64: RegExp;
  readonly #hex: RegExp;

  /** @param shortest - The least length of what a packed text has to say to be found. */
  constructor(shortest: number) {
    const least = Math.min(Math.max(shortest, 6), 1_000);
    const digits = '[\\w+/-]';
    const lines = `(?:\\r?\\n(?!--)${digits}{4,})*`;
    this.#base64 = new RegExp(`(?<!${digits})${digits}{${Math.ceil((least * 4) / 3)},}${lines}={0,2}`, 'g');
    this.#hex = new RegExp(`[\\da-f]{${2 * least},}`, 'gi');
  }

  *in(text: string): Iterable<Packed> {
    for (const { 0: run, index } of text.matchAll(this.#base64)) {
      // Base64 of an ASCII text has capital letters.
      if (!/[A-Z]/.test(run)) continue;
      // A token is often a step of a path. Its neighbours are hidden only if it is not one.
      if (run.length < LONG && run.includes('/'))
        for (const { 0: step, index: at } of run.matchAll(/[^/]{8,}/g))
          yield { from: index + at, to: index + at + step.length, texts: () => ofBase64(step) };
      yield { from: index, to: index + run.length, texts: () => ofBase64(run) };
    }
    for (const { 0: run, index } of text.matchAll(this.#hex))
      yield { from: index, to: index + run.length, texts: () => ofHex(run) };
    if (!text.includes('=?')) return;
    for (const { 0: words, index } of text.matchAll(WORDS))
      yield { from: index, to: index + words.length, texts: () => [decodedWords(words)] };
  }
}

/** The headers of a mail with each run of encoded words changed. */
export const withWords = (header: string, change: (words: string) => string): string =>
  header.includes('=?') ? header.replace(WORDS, change) : header;

/** What bytes may mean. They are given with a character for each. */
function* meantBy(bytes: string): Iterable<string> {
  if (bytes.length > LONG && !READABLE.test(bytes)) return;
  yield bytes;
  const isWide = bytes.includes('\0');
  if (!isWide && !/[\xc2-\xf4][\x80-\xbf]/.test(bytes)) return;
  const data = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  for (const encoding of isWide ? ['utf-16le', 'utf-16be'] : ['utf-8'])
    yield new TextDecoder(encoding).decode(data);
}

/** The texts of base64. A token may stand behind other letters, so that any of four may be its first. */
function* ofBase64(run: string): Iterable<string> {
  const digits = run.replace(/[\r\n=]+/g, '').replace(/[_-]/g, (digit) => (digit === '_' ? '/' : '+'));
  for (let skip = 0; skip < 4; skip += 1) {
    const whole = digits.length - ((digits.length - skip) % 4 === 1 ? 1 : 0);
    yield* meantBy(atob(digits.slice(skip, whole)));
  }
}

function* ofHex(run: string): Iterable<string> {
  for (const skip of [0, 1]) {
    let text = '';
    for (let at = skip; at + 1 < run.length; at += 2)
      text += String.fromCharCode(parseInt(run.slice(at, at + 2), 16));
    yield* meantBy(text);
  }
}
