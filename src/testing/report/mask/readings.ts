/** Readings of a text: its escapes are resolved once, and what a reader does not see is left out. */
import { decodeHTML } from 'entities';
import { late } from '../../../kit/late.ts';
import { decodedWords } from '../../reading/message/raw-mail.ts';
import { remembered } from './remembered.ts';

/** A text, and where its characters stand in the original. */
export interface Reading {
  readonly text: string;
  /** The part of the original that a part of the text was read from. */
  readonly rangeOf: (from: number, to: number) => readonly [from: number, to: number];
}

const WORDS =
  /=\?[\w.*-]{1,40}\?[bq]\?[^?\s]{0,2000}\?=(?:\s{1,4}=\?[\w.*-]{1,40}\?[bq]\?[^?\s]{0,2000}\?=)*/;
const PERCENT = /%u[\da-f]{4}|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|%[\da-f]{2}/;
const SCRIPT = /\\{1,8}(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[nrtbf/"'])/;
const ENTITY = /&(?:#x[\da-f]{1,30}|#\d{1,30}|[a-z][a-z\d]{1,30});?/;
const INVISIBLE = /[\0\p{DI}]/u;
/** Characters that may have a compatibility form, and letters with combining marks. */
const COMPATIBLE = /[a-z]\p{M}{1,9}|[^\0-\x7f]\p{M}{0,9}/u;
/** Quoted-printable, and the signs of an address in the addresses of bounces. */
const QUOTED = /=[c-f][\da-f](?:=[89ab][\da-f]){1,3}|=[\da-f]{2}|=\r?\n|[-_](?:40|2[b-f]|5f)/;
const CSS = /\\[\da-f]{1,6}\s?/;
const TAG = /<[/!a-z][^<>]{0,1000}>/;
/** A comment, or a short element, which a style or a class may hide. */
const ELEMENT = /<!--[^]{0,1000}?-->|<([a-z]{1,20})\b[^<>]{0,1000}>[^<>]{0,100}<\/\1\s{0,9}>/;

const ESCAPES = [WORDS, PERCENT, SCRIPT, ENTITY, INVISIBLE];
const READINGS = {
  plain: ESCAPES,
  withoutTags: [...ESCAPES, TAG],
  withoutElements: [...ESCAPES, ELEMENT, TAG],
  // Apart, because the query `?to=ed@example.org` looks like quoted-printable.
  quoted: [QUOTED, CSS, ...ESCAPES],
};
type Kind = keyof typeof READINGS;

const patternOf = (parts: readonly RegExp[]) =>
  new RegExp(parts.map(({ source }) => source).join('|'), 'giu');
const patterns = late(() =>
  Object.entries(READINGS).map(([kind, parts]) => ({
    kind,
    narrow: patternOf(parts),
    wide: patternOf([...parts, COMPATIBLE]),
  })),
);

/** Every reading of a text. */
export function* readingsOf(text: string): Iterable<Reading> {
  yield readingOf(text, 'plain');
  if (text.includes('<')) {
    yield readingOf(text, 'withoutTags');
    yield readingOf(text, 'withoutElements');
  }
  if (/[-_=\\][\da-f\r\n]/i.test(text)) yield readingOf(text, 'quoted');
}

/** A text with its escapes resolved. */
export const plainTextOf = (text: string): string => readingOf(text, 'plain').text;

function readingOf(text: string, kind: Kind): Reading {
  const isWide = /[^\0-\x7f]/.test(text) && text.normalize('NFKC') !== text;
  const pattern = patterns().find((one) => one.kind === kind)?.[isWide ? 'wide' : 'narrow'] ?? /(?!)/g;
  /** Of each escape: its start and end in the reading, and in the text. */
  const escapes: (readonly [start: number, end: number, from: number, to: number])[] = [];
  const visible = remembered((escape) =>
    meaningOf(escape)
      .normalize('NFKC')
      .replace(/[\0\p{DI}]/gu, ''),
  );
  let plain = '';
  let done = 0;
  for (const { 0: escape, index } of text.matchAll(pattern)) {
    plain += text.slice(done, index);
    done = index + escape.length;
    const start = plain.length;
    plain += visible(escape);
    escapes.push([start, plain.length, index, done]);
  }
  const placeOf = (at: number, isEnd: boolean): number => {
    let [low, high] = [0, escapes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((escapes[middle]?.[0] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    const [, end, from, to] = escapes[low - 1] ?? [0, 0, 0, 0];
    if (at < end) return isEnd ? to : from;
    return to + at - end + Number(isEnd);
  };
  return {
    text: plain + text.slice(done),
    rangeOf: (from, to) => [placeOf(from, false), placeOf(to - 1, true)],
  };
}

/** The text that an escape stands for. */
function meaningOf(escape: string): string {
  if (escape.startsWith('<')) return '';
  if (escape.startsWith('&'))
    return decodeHTML(decodeHTML(escape) === escape ? escape.toLowerCase() : escape);
  if (escape.startsWith('=?')) return decodedWords(escape);
  if (/^%u/i.test(escape)) return String.fromCharCode(parseInt(escape.slice(2), 16));
  if (/^[%=_-]/.test(escape)) return textOfBytes(escape);
  if (!escape.startsWith('\\')) return escape.replace(/[\u3002\uff61]/g, '.');
  const [code] = /[\da-f]{1,6}(?=\}?\s?$)/i.exec(escape) ?? [];
  if (code === undefined || /^\\+[bf]$/.test(escape)) return LINE_ENDS[escape.slice(-1)] ?? escape.slice(-1);
  const character = parseInt(code, 16);
  return character > 0x10ffff ? '\ufffd' : String.fromCodePoint(character);
}

const LINE_ENDS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ' };

/** The text of bytes in hexadecimal digits with a sign before each: UTF-8, or else a character for each byte. */
function textOfBytes(escape: string): string {
  const bytes = escape
    .split(escape.charAt(0))
    .slice(1)
    .map((hex) => parseInt(hex, 16));
  return bytes.length === 1
    ? String.fromCharCode(...bytes.filter((byte) => !Number.isNaN(byte)))
    : new TextDecoder().decode(Uint8Array.from(bytes));
}
