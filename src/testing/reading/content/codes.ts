/** Finds the codes in a text: 4 to 8 digits that stand alone. */
import type { Marked } from './html.ts';
import { reasonFor, type Digits } from './digits.ts';

/** A visible text, and the marked parts of it. */
export interface Readable {
  readonly text: string;
  readonly digitsAlone: ReadonlySet<number>;
  readonly marked: readonly Marked[];
}

/** A code, and the text before it. */
export interface FoundCode {
  readonly value: string;
  readonly before: string;
}

/** Digits that are not a code, with the reason. */
export interface OtherDigits {
  readonly value: string;
  readonly reason: string;
}

/** The codes in a text. */
export interface FoundCodes {
  /** The distinct codes. If some are alone in their element or line, only these. */
  readonly codes: readonly FoundCode[];
  /** The first digits that are not codes. */
  readonly others: readonly OtherDigits[];
}

/** The most digits in `others`. */
const NAMED = 5;
/** The longest quotation of the text before a code, in characters. */
const QUOTED = 40;

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

/** Finds the codes in a text, in linear time. */
export function codesIn({ text, digitsAlone, marked }: Readable): FoundCodes {
  const all = new Map<string, FoundCode>();
  const alone = new Map<string, FoundCode>();
  const others = new Map<string, OtherDigits>();
  let mark = 0;
  for (const { digits, previous, next } of runsOf(text)) {
    const { start, end } = digits;
    const value = text.slice(start, end);
    while ((marked[mark]?.to ?? Infinity) <= start) mark += 1;
    const isMarked = (marked[mark]?.from ?? Infinity) <= start;
    const reason = isMarked ? marked[mark]?.as : reasonFor(text, digits, previous, next);
    if (reason !== undefined) {
      if (others.size < NAMED && !others.has(value)) others.set(value, { value, reason });
      continue;
    }
    const code = { value, before: beforeOf(text, start) };
    if (!all.has(value)) all.set(value, code);
    if (!alone.has(value) && (digitsAlone.has(start) || isAloneOnLine(text, digits))) alone.set(value, code);
  }
  return { codes: [...(alone.size > 0 ? alone : all).values()], others: [...others.values()] };
}

interface Run {
  readonly digits: Digits;
  readonly previous: Digits | undefined;
  readonly next: Digits | undefined;
}

/** Every 4 to 8 digits of a text, with the digits before and after them. */
function* runsOf(text: string): Generator<Run> {
  const all = text.matchAll(/\d+/g);
  const read = (): Digits | undefined => {
    const { value: match, done } = all.next();
    return done === true ? undefined : { start: match.index, end: match.index + match[0].length };
  };
  let previous: Digits | undefined;
  let digits = read();
  while (digits !== undefined) {
    const next = read();
    const length = digits.end - digits.start;
    if (length >= 4 && length <= 8) yield { digits, previous, next };
    previous = digits;
    digits = next;
  }
}
