/** The readings of a text: as it is, and with the escapes of its characters resolved, round by round. */

/** The longest chain of escapes: an entity of a percent sign of an escape in JSON of quoted-printable. */
const ROUNDS = 4;
/** The most readings of a text. Only a text that was made for it has as many. */
const MOST = 12;

/** A text, and where its characters stand in the original. */
export interface Reading {
  readonly text: string;
  /** The part of the original that a part of the text was read from. */
  readonly rangeOf: (from: number, to: number) => readonly [from: number, to: number];
}

/** An escape of a URL, of JSON or JavaScript, or of HTML; or the wide form of an ASCII character. */
const ESCAPE =
  /%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|%[\da-f]{2}|\\{1,8}(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[nrt/"'])|&#x[\da-f]{1,30};?|&#\d{1,30};?|&[a-z]{2,20};|[\uff01-\uff5e\ufe6b\u3002\uff61\u2024]/gi;

/** Escapes of quoted-printable. Read apart from the others, because they look like the query of a URL. */
const QUOTED = /=[c-f][\da-f](?:=[89ab][\da-f]){1,3}|=[\da-f]{2}|=\r?\n/gi;

const NAMED: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  plus: '+',
  lowbar: '_',
  underbar: '_',
  hyphen: '-',
  dash: '-',
  equals: '=',
  comma: ',',
  colon: ':',
  sol: '/',
  num: '#',
  percnt: '%',
  excl: '!',
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  shy: '\u00ad',
  zwj: '\u200d',
  zwnj: '\u200c',
  zerowidthspace: '\u200b',
  nobreak: '\u2060',
  lrm: '\u200e',
  rlm: '\u200f',
  szlig: 'ß',
  oslash: 'ø',
  aelig: 'æ',
  lstrok: 'ł',
};

/** The names of accents in entities, such as `&eacute;`, and the marks that combine with a letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  cedil: '\u0327',
  caron: '\u030c',
  dot: '\u0307',
  ogon: '\u0328',
  breve: '\u0306',
};

function namedCharacter(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (Object.hasOwn(NAMED, lower)) return NAMED[lower];
  const accent = lower.slice(1);
  return Object.hasOwn(ACCENTS, accent)
    ? (name.charAt(0) + (ACCENTS[accent] ?? '')).normalize('NFC')
    : undefined;
}

const character = (code: number) => (code > 0x10ffff ? undefined : String.fromCodePoint(code));

/** The text of bytes in hexadecimal digits, with a sign before each: UTF-8, or else a character for each byte. */
function textOfBytes(escaped: string): string {
  if (escaped.length === 3) return String.fromCharCode(parseInt(escaped.slice(1), 16));
  const bytes = Uint8Array.from(escaped.slice(1).split(escaped.charAt(0)), (hex) => parseInt(hex, 16));
  return new TextDecoder().decode(bytes);
}

const LINE_ENDS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The character that an escape stands for. */
function unescaped(escape: string): string | undefined {
  const first = escape.charAt(0);
  if (first === '%') return textOfBytes(escape);
  if (first === '\\') {
    const rest = escape.replace(/^\\{1,8}/, '');
    const kind = rest.charAt(0).toLowerCase();
    if (kind !== 'u' && kind !== 'x') return LINE_ENDS[kind] ?? rest;
    return character(parseInt(rest.slice(1).replace(/[{}]/g, ''), 16));
  }
  if (first !== '&') return escape === '\u3002' || escape === '\uff61' ? '.' : escape.normalize('NFKC');
  const name = escape.replace(/[&;]/g, '');
  if (!name.startsWith('#')) return namedCharacter(name);
  const isHex = name.charAt(1).toLowerCase() === 'x';
  return character(isHex ? parseInt(name.slice(2), 16) : Number(name.slice(1)));
}

const unquoted = (escape: string) => (/[\r\n]/.test(escape) ? '' : textOfBytes(escape));

/** The text itself. */
const original = (text: string): Reading => ({ text, rangeOf: (from, to) => [from, to] });

/** The next reading of a text, with escapes resolved once; `undefined` if it has none. */
function next(
  { text, rangeOf }: Reading,
  pattern: RegExp,
  characterOf: (escape: string) => string | undefined,
): Reading | undefined {
  const meanings = new Map<string, string | undefined>();
  const meaningOf = (escape: string): string | undefined => {
    if (!meanings.has(escape)) meanings.set(escape, characterOf(escape));
    return meanings.get(escape);
  };
  const plain = text.replace(pattern, (escape) => meaningOf(escape) ?? escape);
  if (plain === text) return undefined;
  // Only a text in which something is found needs the places.
  let places: Places | undefined;
  return {
    text: plain,
    rangeOf: (from, to) => {
      places ??= new Places(text, pattern, meaningOf);
      return rangeOf(places.of(from, false), places.of(to - 1, true));
    },
  };
}

/** Where the characters of a reading stand in the text that it was read from. */
class Places {
  /** Of each escape: where its character begins and ends in the reading, and where the escape does in the text. */
  readonly #escapes: {
    readonly start: number;
    readonly end: number;
    readonly from: number;
    readonly to: number;
  }[] = [];

  constructor(text: string, pattern: RegExp, meaningOf: (escape: string) => string | undefined) {
    let shorter = 0;
    for (const { 0: escape, index } of text.matchAll(pattern)) {
      const meant = meaningOf(escape);
      if (meant === undefined) continue;
      const start = index - shorter;
      const end = start + meant.length;
      this.#escapes.push({ start, end, from: index, to: index + escape.length });
      shorter += escape.length - meant.length;
    }
  }

  /** Where a character stands in the text: its start, or its end. */
  of(at: number, isEnd: boolean): number {
    let [low, high] = [0, this.#escapes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#escapes[middle]?.start ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    const last = this.#escapes[low - 1];
    if (last === undefined) return at + Number(isEnd);
    if (at >= last.end) return last.to + at - last.end + Number(isEnd);
    return isEnd ? last.to : last.from;
  }
}

/** Every reading of a text. The first is the text itself. */
export function readingsOf(text: string): readonly Reading[] {
  const all = [original(text)];
  const known = new Set([text]);
  let last: readonly Reading[] = all;
  for (let round = 0; round < ROUNDS && last.length > 0; round += 1) {
    const further: Reading[] = [];
    for (const reading of last) {
      for (const read of [next(reading, ESCAPE, unescaped), next(reading, QUOTED, unquoted)]) {
        if (read === undefined || known.has(read.text) || all.length + further.length >= MOST) continue;
        known.add(read.text);
        further.push(read);
      }
    }
    all.push(...further);
    last = further;
  }
  return all;
}
