/** Texts within a text: in base64, in hexadecimal digits, and as encoded words of a header. */
import { decodedWords } from '../../reading/message/raw-mail.ts';

/** A part of a text that stands for other texts. */
export interface Packed {
  readonly from: number;
  readonly to: number;
  readonly kind: 'base64' | 'hex' | 'words';
  readonly run: string;
  /** The steps of a path that a run may be. A token is often one of them. */
  readonly steps: readonly Packed[];
}

const LONG = 1_000;

/** Encoded words of a header (RFC 2047), which may break an address in two. */
const WORDS =
  /=\?[\w.*-]{1,40}\?[bq]\?[^?\s]{0,2000}\?=(?:\s{1,4}=\?[\w.*-]{1,40}\?[bq]\?[^?\s]{0,2000}\?=)*/gi;
/** The further lines of base64, and its end. */
const LINES = /(?:\r?\n(?!--)[\w+/-]{4,})*={0,2}/y;

type IsOf = (code: number) => boolean;

const isHexDigit: IsOf = (code) =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
/** A digit of either alphabet of base64. */
const isDigit: IsOf = (code) =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x2f && code <= 0x39) ||
  code === 0x2b ||
  code === 0x2d ||
  code === 0x5f;
const isReadable: IsOf = (code) =>
  (code >= 0x20 && code <= 0x7e) || code === 0 || code === 9 || code === 10 || code === 13;

/** The longest runs of a kind of characters. Looks at one character of each `least` where there is no such run. */
function* runsOf(text: string, is: IsOf, least: number): Iterable<readonly [from: number, to: number]> {
  let done = 0;
  for (let at = least - 1; at < text.length;) {
    if (!is(text.charCodeAt(at))) {
      at += least;
      continue;
    }
    let [from, to] = [at, at + 1];
    while (from > done && is(text.charCodeAt(from - 1))) from -= 1;
    while (to < text.length && is(text.charCodeAt(to))) to += 1;
    if (to - from >= least) yield [from, to];
    done = to;
    at = to + least;
  }
}

/** Finds packed texts. */
export class Packings {
  /** The fewest digits of base64, and of hexadecimal digits. */
  readonly #least: { readonly base64: number; readonly hex: number };

  /** @param shortest - The least length of what a packed text has to say to be found. */
  constructor(shortest: number) {
    const least = Math.min(Math.max(shortest, 6), 1_000);
    this.#least = { base64: Math.ceil((least * 4) / 3), hex: 2 * least };
  }

  *in(text: string): Iterable<Packed> {
    let done = 0;
    for (const [from, end] of runsOf(text, isDigit, this.#least.base64)) {
      if (from < done) continue;
      LINES.lastIndex = end;
      done = end + (LINES.exec(text)?.[0].length ?? 0);
      // Base64 of an ASCII text has capital letters.
      const packed = this.base64(text.slice(from, done), from);
      if (/[A-Z]/.test(packed.run)) yield packed;
    }
    for (const [from, to] of runsOf(text, isHexDigit, this.#least.hex))
      yield { from, to, kind: 'hex', run: text.slice(from, to), steps: [] };
    if (!text.includes('=?')) return;
    for (const { 0: run, index } of text.matchAll(WORDS))
      yield { from: index, to: index + run.length, kind: 'words', run, steps: [] };
  }

  /** A run of base64: a token in a link, or a whole body. */
  base64(run: string, from: number): Packed {
    const steps: Packed[] = [];
    if (run.length < LONG && run.includes('/'))
      for (const { 0: step, index } of run.matchAll(/[^/]{8,}/g))
        if (step.length >= this.#least.base64)
          steps.push({
            from: from + index,
            to: from + index + step.length,
            kind: 'base64',
            run: step,
            steps: [],
          });
    return { from, to: from + run.length, kind: 'base64', run, steps };
  }
}

/** The texts that a packed text may stand for, one for each position at which its first group may begin. */
export function textsOf({ kind, run }: Packed): Iterable<string> {
  if (kind === 'words') return [decodedWords(run)];
  return kind === 'hex' ? ofHex(run) : ofBase64(run);
}

/** The headers of a mail with each run of encoded words changed. */
export const withWords = (header: string, change: (words: string) => string): string =>
  header.includes('=?') ? header.replace(WORDS, change) : header;

/** The fewest readable bytes on end in a long text. A long one without them is a picture, for instance. */
const READABLE = 16;

/** The texts that bytes may stand for. They are given with a character for each. */
function* meantBy(bytes: string): Iterable<string> {
  if (bytes.length > LONG && runsOf(bytes, isReadable, READABLE)[Symbol.iterator]().next().done) return;
  yield bytes;
  // The sign of an address, or a digit of base64, is ASCII.
  const isWide = /\0[!-~]|[!-~]\0/.test(bytes);
  if (!isWide && !/[\xc2-\xf4][\x80-\xbf]/.test(bytes)) return;
  const data = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) data[at] = bytes.charCodeAt(at);
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
    const codes: number[] = [];
    for (let at = skip; at + 1 < run.length; at += 2)
      codes.push(16 * valueOf(run.charCodeAt(at)) + valueOf(run.charCodeAt(at + 1)));
    let text = '';
    for (let at = 0; at < codes.length; at += LONG)
      text += String.fromCharCode(...codes.slice(at, at + LONG));
    yield* meantBy(text);
  }
}

/** The value of a hexadecimal digit. */
const valueOf = (code: number) => (code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57);
