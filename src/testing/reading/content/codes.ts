/** Finds the codes in a text: 4 to 8 digits that stand alone, or in groups of three. */
import { introductionOf, isToEnter, type Digits } from '../text/code-words.ts';
import type { Marked } from '../html/html.ts';
import { reasonFor } from '../text/digits.ts';

/** A visible text, and the marked parts of it. */
export interface Readable {
  readonly text: string;
  readonly digitsAlone: ReadonlySet<number>;
  readonly marked: readonly Marked[];
}

/** Why digits of an email may be a code. */
export interface MailCode {
  /** Its digits, without the space or the hyphen between groups. */
  readonly value: string;
  /**
   * How sure it is, from the surest: a word such as "code" or "PIN" introduces it (`introduced`), it has an element or a line to
   * itself (`alone`), or its sentence tells to enter it (`other`). `mail.code()` returns the one code of the highest rank.
   */
  readonly rank: 'introduced' | 'alone' | 'other';
  /** The reason of the rank, such as `after "code"`. */
  readonly reason: string;
}

/** A code, and the text before it. */
export interface FoundCode extends MailCode {
  readonly before: string;
}

/** Digits that are not a code, with the reason. */
type OtherDigits = Pick<MailCode, 'value' | 'reason'>;

/** The codes in an email. */
export interface FoundCodes {
  /** The distinct codes, the highest rank first. */
  readonly codes: readonly FoundCode[];
  /** The first digits that are not codes. */
  readonly others: readonly OtherDigits[];
}

/** The most digits in `others`. */
const NAMED = 5;
/** The most characters of a row of a table before and after digits that are read. */
const ROW = 120;
/** The longest quotation of the text before a code, in characters. */
const QUOTED = 40;

const RANKS: readonly MailCode['rank'][] = ['introduced', 'alone', 'other'];

const isAround = (character: string) => !/[\p{L}\p{N}]/u.test(character);

/** Whether digits are alone on their line, or in their cell of a row. */
function isAloneOnLine(text: string, { start, end }: Digits): boolean {
  const reach = 32;
  for (let index = start - 1; index >= 0 && !isEdge(text[index]); index -= 1)
    if (start - index > reach || !isAround(text[index] ?? '')) return false;
  for (let index = end; index < text.length && !isEdge(text[index]); index += 1)
    if (index - end > reach || !isAround(text[index] ?? '')) return false;
  return true;
}

/** Whether digits are in a row of three and more cells with text: such a row lists an article, a visit or a payment. */
function isInTable(text: string, { start, end }: Digits): boolean {
  const from = text.slice(Math.max(0, start - ROW), start).replace(/^[^]*\n/, '');
  const to = text.slice(end, end + ROW).replace(/\n[^]*$/, '');
  return `${from}0${to}`.split('\t').length >= 3;
}

/** Why digits without a word for a code are none. */
function reasonBeside(text: string, digits: Digits, isAlone: boolean): string | undefined {
  if (isInTable(text, digits)) return 'in a row of a table';
  return isAlone || isToEnter(text, digits) ? undefined : 'without a word such as "code" or "enter"';
}

const isEdge = (character: string | undefined) => character === '\n' || character === '\t';

/** The text before a place: on its line, or on earlier lines if the place begins a line. */
export function beforeOf(text: string, at: number): string {
  const all = text.slice(Math.max(0, at - 2 * QUOTED), at);
  const line = all.slice(all.lastIndexOf('\n') + 1);
  const before = (line.trim() === '' ? all : line).replace(/\s+/g, ' ').trim();
  if (before.length <= QUOTED) return before;
  const cut = before.slice(-QUOTED);
  return `…${cut.slice(cut.indexOf(' ') + 1)}`;
}

/** Digits of other scripts, in the order of their values: full-width, Arabic, Persian, Devanagari. */
const ZEROS = [0xff10, 0x0660, 0x06f0, 0x0966];
const withPlainDigits = (text: string) =>
  text.replace(/[０-９٠-٩۰-۹०-९]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.find((zero) => code >= zero && code < zero + 10) ?? code));
  });

/** Digits in the brackets that begin a Chinese, Japanese or Korean subject: 【593041】. */
const IN_BRACKETS = /^[【［〔「『](\d{4,8})[】］〕」』]/;

/** Finds the codes in the visible text and in the subject, in linear time. */
export function codesIn(body: Readable, subject = ''): FoundCodes {
  const codes = new Map<string, FoundCode>();
  const others = new Map<string, OtherDigits>();
  const line = subject.replace(/\s+/g, ' ').trim();
  const ofSubject: Readable = {
    text: line,
    digitsAlone: new Set(IN_BRACKETS.test(withPlainDigits(line)) ? [1] : []),
    marked: [],
  };
  for (const readable of [body, ofSubject]) {
    for (const found of foundIn({ ...readable, text: withPlainDigits(readable.text) })) {
      const known = codes.get(found.value);
      if ('rank' in found) {
        if (known === undefined || RANKS.indexOf(found.rank) < RANKS.indexOf(known.rank))
          codes.set(found.value, found);
      } else if (others.size < NAMED && !others.has(found.value)) others.set(found.value, found);
    }
  }
  const ranked = RANKS.flatMap((rank) => [...codes.values()].filter((code) => code.rank === rank));
  return { codes: ranked, others: [...others.values()] };
}

/** Between the codes of a list. */
const BETWEEN_CODES = /^(?:[\s,;/•·*|&+#[\]()\p{Pd}\p{So}]|and|or|und|oder|et|ou|y|o|e){1,12}$/u;

function* foundIn({ text, digitsAlone, marked }: Readable): Generator<FoundCode | OtherDigits> {
  let mark = 0;
  /** The code before: its end, the word that introduces it, and the end of both. */
  let last: { end: number; word?: string | undefined; usedTo: number } = { end: 0, usedTo: 0 };
  for (const { digits, previous, next } of runsOf(text)) {
    const { start, end } = digits;
    const value = text.slice(start, end).replace(/\D/g, '');
    while ((marked[mark]?.to ?? Infinity) <= start) mark += 1;
    const isMarked = (marked[mark]?.from ?? Infinity) <= start;
    const isInElement = digitsAlone.has(start);
    const isAlone = isInElement || isAloneOnLine(text, digits);
    const isListed = last.word !== undefined && BETWEEN_CODES.test(text.slice(last.end, start));
    const introduction = introductionOf(text, digits, isAlone, last.usedTo);
    const isNamed = introduction !== undefined && (introduction.isClose || isAlone);
    const reason =
      (isMarked ? marked[mark]?.as : reasonFor(text, digits, previous, next, isNamed)) ??
      (introduction === undefined && !isListed ? reasonBeside(text, digits, isAlone) : undefined);
    if (reason !== undefined) {
      yield { value, reason };
      continue;
    }
    const before = beforeOf(text, start);
    const word = introduction?.word ?? (isListed ? last.word : undefined);
    last = { end, word, usedTo: word === undefined ? last.usedTo : Math.max(end, introduction?.end ?? 0) };
    if (word !== undefined) yield { value, before, rank: 'introduced', reason: `beside "${word}"` };
    else if (isInElement) yield { value, before, rank: 'alone', reason: 'alone in its element' };
    else if (isAlone) yield { value, before, rank: 'alone', reason: 'alone on its line' };
    else yield { value, before, rank: 'other', reason: 'in a sentence that tells to enter it' };
  }
}

/** Groups of digits that may be one code: `123 456`, `123-456`, and after a word for a code `12 34 56`, `1234 5678` or `1 2 3 4 5 6`, also with a line for each digit. */
const GROUPS =
  /(?:(\d{3})([ ‑–-])\d{3}|\d{4}([ ‑–-])\d{4}|\d\d([ ‑–-])\d\d(?:\4\d\d){0,2}|\d([ \t\n‑–-])\d(?:\5\d){2,6})(?!\d)/y;
/** What joins a group to further digits: it is then a part of a longer number. */
const JOINED_BEFORE = /(?:\d(?:[ .,:/'’‐-―-]|\)[ -]?)|\+)$/u;
const JOINED_AFTER = /^[ .,:/'’‐-―-]\d/u;

const isScale = (row: string) =>
  row.split('\t').every((digit, index, all) => Number(digit) === Number(all[0]) + index);

/** The groups of digits at a place that may be one code. */
function groupsAt(text: string, start: number, listedFrom: number): Digits | undefined {
  GROUPS.lastIndex = start;
  const found = GROUPS.exec(text);
  if (found === null) return undefined;
  const digits = { start, end: start + found[0].length };
  if (
    JOINED_BEFORE.test(text.slice(Math.max(0, start - 3), start)) ||
    JOINED_AFTER.test(text.slice(digits.end, digits.end + 4))
  )
    return undefined;
  // Two groups of three are how codes are written, and so is a digit in each cell of a row, but for a scale: 1 2 3 4 5.
  const isInCells = found[5] === '\t' && !isScale(found[0]);
  const isBelow =
    isAloneOnLine(text, digits) && /[:：][^\p{L}\p{N}]*$/u.test(text.slice(Math.max(0, start - 8), start));
  const introduction = introductionOf(text, digits, isBelow, 0);
  const isListed = BETWEEN_CODES.test(text.slice(listedFrom, start));
  const isIntroduced = introduction?.isClose === true || (isBelow && introduction !== undefined);
  return found[1] !== undefined || isListed || isInCells || isIntroduced ? digits : undefined;
}

/** Every 4 to 8 digits of a text, with the digits before and after them. */
function* runsOf(text: string) {
  const all = text.matchAll(/\d+/g);
  const read = (): Digits | undefined => {
    const { value: match, done } = all.next();
    return done === true ? undefined : { start: match.index, end: match.index + match[0].length };
  };
  let previous: Digits | undefined;
  let digits = read();
  let listedFrom = Infinity;
  while (digits !== undefined) {
    const groups = groupsAt(text, digits.start, listedFrom);
    let next = read();
    if (groups !== undefined) {
      listedFrom = groups.end;
      while (next !== undefined && next.start < groups.end) next = read();
      yield { digits: groups, previous: undefined, next: undefined };
    } else {
      const length = digits.end - digits.start;
      if (length >= 4 && length <= 8) yield { digits, previous, next };
    }
    previous = groups ?? digits;
    digits = next;
  }
}
