/** The edits of emails in a few words, for the page and the command. */
import { grouped } from '../../../kit/grouped.ts';
import type { ReportKindChange, ReportMark, ReportPartChange } from './data.ts';

/** A passage of an email before and after; empty on the side that does not have it. */
export interface Edit {
  readonly before: string;
  readonly after: string;
}

/** The most characters: beside a differing place, and of a passage that is not one tag. */
const [AROUND, AROUND_IN_LINE, LONGEST] = [40, 90, 240] as const;
/** The most edits of a part that are told, and of several kinds. */
const [MOST, MOST_SHARED] = [100, 20] as const;
/** The ends of a phrase; those of a line. */
const [PHRASE, LINE] = [/[<>\n]|[,.;:!?](?=[\s<]|$)/g, /\n/g] as const;

const keyOf = ({ before, after }: Edit) => JSON.stringify([before, after]);
const unique = (edits: readonly Edit[]): Edit[] => [
  ...new Map(edits.map((one) => [keyOf(one), one])).values(),
];

/** The edits of some parts, each one once. Not those of a subject or a sender, which are told whole. */
export const editsOf = (changes: readonly ReportPartChange[], told: readonly Edit[] = []): Edit[] => {
  const known = new Set(told.map(keyOf));
  return unique(changes.flatMap(editsOfPart)).filter((one) => !known.has(keyOf(one)));
};

/** The edits that several kinds have: those of the most kinds first. */
export function sharedEdits(kinds: readonly Pick<ReportKindChange, 'changes'>[]) {
  const all = grouped(
    kinds.flatMap(({ changes }) => editsOf(changes)),
    (one) => [keyOf(one)],
  );
  return [...all.values()]
    .flatMap(([edit, ...others]) =>
      edit && others.length > 0 ? [{ ...edit, kinds: others.length + 1 }] : [],
    )
    .sort((a, b) => b.kinds - a.kinds)
    .slice(0, MOST_SHARED);
}

/** `"12 Mill Lane" → "14 Mill Lane"`; with a sign if one side is empty. */
export const editText = ({ before, after }: Edit, quoted = (text: string) => `"${text}"`): string =>
  before === ''
    ? `+ ${quoted(after)}`
    : after === ''
      ? `- ${quoted(before)}`
      : `${quoted(before)} → ${quoted(after)}`;

function editsOfPart({ part, before, after, marks }: ReportPartChange): Edit[] {
  if (part === 'subject' || part === 'from' || part === 'category' || part === 'template') return [];
  const [left, right] = [before ?? '', after ?? ''];
  const isLines = part !== 'html' && part !== 'text';
  return marks.before.slice(0, MOST).flatMap((a, index) => {
    const b = marks.after[index] ?? [0, 0];
    for (const isWide of isLines ? [true] : [false, true]) {
      const was = passage(left, part === 'html' ? whole(left, a, right, b) : a, isWide);
      const is = passage(right, part === 'html' ? whole(right, b, left, a) : b, isWide);
      if (was === is) continue;
      // Whole phrases, or whole lines, have no counterpart.
      const isNew = a[0] === a[1] && is === right.slice(...b).trim();
      const isGone = b[0] === b[1] && was === left.slice(...a).trim();
      return [{ before: isNew ? '' : was, after: isGone ? '' : is }];
    }
    return [];
  });
}

/** Whether a place is in a tag. */
const isInTag = (html: string, at: number) => html.lastIndexOf('<', at - 1) > html.lastIndexOf('>', at - 1);

/** A place of HTML with its tags whole. An empty place in a tag is after it, unless the other side differs in one tag. */
function whole(html: string, [from, to]: ReportMark, other: string, [start, end]: ReportMark): ReportMark {
  const next = isInTag(html, to) ? html.indexOf('>', to) + 1 || html.length : to;
  const isInOne = isInTag(other, start) && !/[<>]/.test(other.slice(start, end));
  if (from === to && !isInOne) return [next, next];
  return [isInTag(html, from) ? html.lastIndexOf('<', from - 1) : from, next];
}

/** A place with its phrase, or with its line; with no part of a tag. */
function passage(text: string, [from, to]: ReportMark, isLine: boolean): string {
  const [stops, around] = isLine ? [LINE, AROUND_IN_LINE] : [PHRASE, AROUND];
  const isTag = from < to && !isLine;
  const before = isTag && text[from] === '<' ? '' : text.slice(Math.max(0, from - around), from);
  const after = isTag && text[to - 1] === '>' ? '' : text.slice(to, to + around);
  const [stop, first] = [[...before.matchAll(stops)].at(-1), after.search(stops)];
  const left = stop === undefined ? (from > around ? before.search(/\s|$/) : 0) : stop.index + 1;
  const right =
    first < 0 && to + around < text.length ? after.search(/\S*$/) : first < 0 ? after.length : first;
  let [start, end] = [from - before.length + left, to + right];
  if (isInTag(text, start)) start = Math.min(from, Math.max(start, text.indexOf('>', start) + 1));
  if (isInTag(text, end)) end = Math.max(to, text.lastIndexOf('<', end - 1));
  return cut(text.slice(start, end).replace(/\s+/g, ' ').trim());
}

/** A passage that is not too long, and does not end in a tag. */
function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  const open = isInTag(text, LONGEST) ? text.lastIndexOf('<', LONGEST - 1) : LONGEST;
  const end = open > 0 ? open : text.indexOf('>') + 1 || LONGEST;
  return end < text.length ? `${text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
