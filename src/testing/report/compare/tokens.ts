/**
 * Words of a text, of HTML and of addresses, each with a key. Two words with the same key are no difference: an id is as
 * good as another id, and a date as another date.
 */
import { MASKED } from '../mask/left-out.ts';

/** A word and its place in the text. */
export interface Token {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The keys of words that vary from run to run. No word of a text has a control character. */
const ID = '\u0001id';
const DATE = '\u0001date';
const ADDRESS = '\u0001address';
const PERSON = '\u0001person';

/** The recipients of a mail, whose names and addresses vary. */
export interface Persons {
  /** Words of their names, in lower case. */
  readonly words: ReadonlySet<string>;
  /** In lower case. */
  readonly addresses: ReadonlySet<string>;
}

/** A text with asterisks in place of what a mask wrote, so that it is one word: of `a***2@…`, of `‹token, 44 characters›`. */
const withAsterisks = (text: string) => text.replace(MASKED, ({ length }) => '*'.repeat(length));
const isMasked = (word: string) => word.includes('***');

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da'];
/** The names of twelve months, or of seven days, in lower case and without a period. */
function namesOf(part: 'month' | 'weekday'): ReadonlySet<string> {
  const names = new Set<string>();
  for (const locale of LOCALES)
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { day: 'numeric', [part]: style, timeZone: 'UTC' });
      for (let index = 0; index < (part === 'month' ? 12 : 7); index += 1) {
        const time = part === 'month' ? Date.UTC(2026, index, 15) : Date.UTC(2026, 0, 4 + index);
        const name = format.formatToParts(time).find(({ type }) => type === part)?.value ?? '';
        names.add(name.toLowerCase().replace(/\.$/, ''));
      }
    }
  return names;
}

let names: { readonly months: ReadonlySet<string>; readonly days: ReadonlySet<string> } | undefined;
const dateNames = () => (names ??= { months: namesOf('month'), days: namesOf('weekday') });

const URL_START = /^(?:https?:\/\/|mailto:|tel:|cid:|\/\/)/i;
const TIMES = /^(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2})/;
/** Words, numbers with their separators, and single other characters. */
const WORDS = /[\p{L}\p{M}\p{N}_*][\p{L}\p{M}\p{N}_*'’.:/-]*|[^\s]/gu;

/** The words of a text; `from` is the place of the text in the whole. */
export function textTokens(given: string, persons: Persons, from = 0): Token[] {
  const text = withAsterisks(given);
  const tokens: Token[] = [];
  for (const { 0: chunk, index } of text.matchAll(/\S+/g)) addChunk(tokens, chunk, from + index, persons);
  return merged(withDates(tokens, text, from), text, from);
}

function addChunk(tokens: Token[], chunk: string, start: number, persons: Persons): void {
  const open = /^[<([{"'“„«]{1,9}/.exec(chunk)?.[0].length ?? 0;
  const inner = chunk.slice(open);
  if (open > 0) tokens.push({ key: chunk.slice(0, open), start, end: start + open });
  if (URL_START.test(inner)) {
    addUrl(tokens, inner, start + open, persons);
    return;
  }
  for (const { 0: found, index } of inner.includes('@')
    ? inner.matchAll(/[^\s<>()[\],;:"]{1,320}|[<>()[\],;:"]/g)
    : inner.matchAll(WORDS)) {
    const word = found.length > 1 ? found.replace(/['’.:/-]{1,9}$/, '') : found;
    const at = start + open + index;
    tokens.push({ key: keyOf(word, persons), start: at, end: at + word.length });
    if (word.length < found.length)
      tokens.push({ key: found.slice(word.length), start: at + word.length, end: at + found.length });
  }
}

function keyOf(word: string, { words, addresses }: Persons): string {
  const lower = word.toLowerCase();
  if (word.includes('@')) {
    const local = word.slice(0, word.indexOf('@'));
    return isMasked(word) || addresses.has(lower) || isId(local) ? ADDRESS : lower;
  }
  if (words.has(lower)) return PERSON;
  if (isMasked(word) || isId(word)) return ID;
  if (TIMES.test(word) || dateNames().months.has(lower)) return DATE;
  return word;
}

/** The text of a short id, a code or a long number, which may stand in fixed text; nothing of a port, a year or a mask. */
export function shortId({ key, start, end }: Token, text: string): string | undefined {
  const value = key.endsWith(ID) ? text.slice(start, end).replace(/^[/?&=#;<]/, '') : '';
  return value === '' || value.length >= 16 || isMasked(value) || /^(?::|(?:19|20)\d\d$)/.test(value)
    ? undefined
    : value;
}

const digitsIn = (word: string) => word.match(/\d/g)?.length ?? 0;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Whether a word has the form of an id, a code or a token: four digits, letters among digits, or mixed case as no word has it. */
function isId(word: string): boolean {
  if (UUID.test(word)) return true;
  if (TIMES.test(word) || /^\d{1,9}[.,]\d\d?$/.test(word)) return false;
  const digits = digitsIn(word);
  if (digits >= 4) return true;
  if (digits > 0) return word.length >= 6 && /\p{L}/u.test(word) && !/^\d{1,3}-\p{Ll}+$/u.test(word);
  return word.length >= 16 && /^[\w-]+$/.test(word) && (word.match(/[a-z][A-Z]/g)?.length ?? 0) >= 3;
}

/** Whether a word in a tag has the form of an id. Sizes, colours and names of classes are none. */
const isIdInTag = (word: string) =>
  UUID.test(word) ||
  isMasked(word) ||
  (/^[\w-]{16,200}$/.test(word) && digitsIn(word) >= 3) ||
  /^\d{8,}$/.test(word);

/** Sizes and qualities in the query of an image. */
const SIZES = /^(?:w|h|q|s|width|height|size|quality|dpr)$/i;
const ASSET = /\.(?:png|jpe?g|gif|svg|webp|css|ico)$/i;

/** The parts of an address: its host, the port, each segment of the path, each field of the query. */
function addUrl(tokens: Token[], url: string, start: number, persons: Persons): void {
  const [scheme, address] = /^(?:mailto|tel):([^?]*)/i.exec(url) ?? [];
  if (scheme !== undefined && address !== undefined) {
    const key = address.includes('@') ? keyOf(address, persons) : address;
    tokens.push({ key: `<${key}`, start, end: start + scheme.length });
    if (scheme.length < url.length) addUrl(tokens, url.slice(scheme.length), start + scheme.length, persons);
    return;
  }
  const path = url.search(/(?<=[^/])\/(?!\/)|[?#]/);
  const originEnd = /^cid:/i.test(url) ? url.indexOf(':') + 1 : path < 0 ? url.length : path;
  const port = /:\d{1,5}$/.exec(url.slice(0, originEnd))?.index ?? originEnd;
  const host = url.slice(0, port).toLowerCase();
  tokens.push({ key: host.replace(/\*{3,}/g, '***'), start, end: start + port });
  if (port < originEnd) tokens.push({ key: ID, start: start + port, end: start + originEnd });
  let name = '';
  for (const { 0: part, index } of url.slice(originEnd).matchAll(/[/?&=#;]?[^/?&=#;]+|[/?&=#;]/g)) {
    const sign = /^[/?&=#;]/.test(part) ? part.charAt(0) : '';
    const value = part.slice(sign.length).replace(/[.,)\]}'">]{1,9}$/, '');
    const isVarying = sign === '=' ? isValueId(value, name) : isSegmentId(value);
    tokens.push({
      key: isVarying ? sign + ID : sign + value,
      start: start + originEnd + index,
      end: start + originEnd + index + sign.length + value.length,
    });
    if (sign === '?' || sign === '&' || sign === ';') name = value;
  }
}

const isSegmentId = (value: string) =>
  isMasked(value) ||
  value.includes('@') ||
  value.toLowerCase().includes('%40') ||
  (ASSET.test(value)
    ? digitsIn(value) >= 4
    : isId(value) || (/\d/.test(value) && !/^v\d{1,2}$/i.test(value)));

const isValueId = (value: string, name: string) =>
  SIZES.test(name) ? false : isSegmentId(value) || /^[A-Za-z\d_.~-]{24,}$/.test(value);

/** Tags beside which a space is visible. */
const INLINE = /^<\/?(?:a|b|i|u|s|em|strong|span|font|small|big|su[bp]|code|mark)[\s>]/i;

/** The words of HTML: of its tags and styles as they are, of its text as a text. */
export function htmlTokens(given: string, persons: Persons): Token[] {
  const html = withAsterisks(given);
  const tokens: Token[] = [];
  let at = 0;
  let wasInside = false;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    const textEnd = tag < 0 ? html.length : tag;
    const text = html.slice(at, textEnd);
    const isInside = tag >= 0 && INLINE.test(html.slice(tag, tag + 10));
    const [isSpace, isSpaceAfter] = [/^\s/.test(text) && wasInside, /\s$/.test(text) && isInside];
    const hasWords = text.trim() !== '';
    if (isSpace && (hasWords || isSpaceAfter)) tokens.push({ key: ' ', start: at, end: at + 1 });
    for (const token of textTokens(text, persons, at)) tokens.push(token);
    if (hasWords && isSpaceAfter) tokens.push({ key: ' ', start: textEnd - 1, end: textEnd });
    if (tag < 0) break;
    wasInside = isInside;
    at = endOfTag(html, tag);
    addTag(tokens, html.slice(tag, at), tag, persons);
  }
  return tokens;
}

/** The end of a tag; of a comment; of a style sheet with its content. */
export function endOfTag(html: string, tag: number): number {
  const start = html.slice(tag, tag + 7);
  const end = /^<!--(?!\[)/.test(start) ? '-->' : '>';
  const from = /^<style[\s>]/i.test(start) ? tag + html.slice(tag).search(/<\/style|$/i) : tag + 2;
  const found = html.indexOf(end, from);
  return found < 0 ? html.length : found + end.length;
}

function addTag(tokens: Token[], tag: string, start: number, persons: Persons): void {
  for (const { 0: found, index } of tag.matchAll(/[^\s"'<>;(),{}]+/g)) {
    const name = /^[\w-]{1,40}=(?=.)/.exec(found)?.[0] ?? '';
    const word = found.slice(name.length);
    const from = start + index + name.length;
    if (name !== '') tokens.push({ key: `<${name}`, start: from - name.length, end: from });
    if (URL_START.test(word) || (word.length > 1 && /[/?]/.test(word.slice(1))))
      addUrl(tokens, word, from, persons);
    else tokens.push({ key: isIdInTag(word) ? `<${ID}` : `<${word}`, start: from, end: from + word.length });
  }
}

/** A day of the month, and a day of the week, beside a date are a part of it. */
function withDates(tokens: readonly Token[], text: string, from: number): Token[] {
  const all = [...tokens];
  const wordAt = (index: number) => {
    const token = all[index];
    return token === undefined ? '' : text.slice(token.start - from, token.end - from).toLowerCase();
  };
  const isNear = (index: number) =>
    [index - 2, index - 1, index + 1, index + 2].some((other) => all[other]?.key === DATE);
  for (const test of [
    (word: string) => /^\d{1,2}(?:st|nd|rd|th|er)?$/.test(word),
    (word: string) => dateNames().days.has(word) || word === 'am' || word === 'pm',
  ])
    for (const [index, token] of all.entries())
      if (token.key !== DATE && test(wordAt(index)) && isNear(index)) all[index] = { ...token, key: DATE };
  return all;
}

/** Joins the words of a name, which has none twice, or of a date. */
function merged(tokens: readonly Token[], text: string, from: number): Token[] {
  const result: Token[] = [];
  const textOf = ({ start, end }: Token) => text.slice(start - from, end - from);
  for (const token of tokens) {
    const last = result.at(-1);
    const isName = token.key === PERSON && last !== undefined && !textOf(last).endsWith(textOf(token));
    if (last !== undefined && last.key === token.key && (isName || token.key === DATE))
      result[result.length - 1] = { ...last, end: token.end };
    else result.push(token);
  }
  return result;
}
