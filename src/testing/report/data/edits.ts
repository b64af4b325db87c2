/** The edits of emails in a few words, for the page and the command. */
import { grouped } from '../../../kit/grouped.ts';
import type { ReportKindChange, ReportMark, ReportPartChange } from './data.ts';

/** A passage of an email before and after; empty on the side that does not have it. */
export interface Edit {
  readonly before: string;
  readonly after: string;
}

/** The most edits of a part and of several kinds; the most characters of a passage of several pieces. */
const [MOST, MOST_SHARED, LONGEST] = [100, 20, 240] as const;
/** The pieces of a text: tags, phrases, and the signs between; or lines. */
const PIECES = /<[^<>]*>?|(?:[^<>\n,.;:!?]|[,.;:!?](?![\s<]|$))+|[^]/g;
const LINES = /[^\n]+|\n/g;
/** Parts whose texts are told whole. */
const WHOLE: readonly string[] = ['subject', 'from', 'category', 'template', 'recipients'];

const keyOf = ({ before, after }: Edit) => JSON.stringify([before, after]);

/** The edits of some parts, each one once, without those that are told. Parts that are told whole have none. */
export function editsOf(changes: readonly ReportPartChange[], told: readonly Edit[] = []): Edit[] {
  const parts = changes.filter(({ part }) => !WHOLE.includes(part));
  const edits = new Map(parts.flatMap(editsOfPart).map((one) => [keyOf(one), one]));
  for (const one of told) edits.delete(keyOf(one));
  return [...edits.values()];
}

/** The edits that several kinds have: those of the most kinds first. */
export function sharedEdits(
  kinds: readonly Pick<ReportKindChange, 'state' | 'changes'>[],
): (Edit & { readonly kinds: number })[] {
  const edits = kinds.flatMap(({ state, changes }) => (state === 'changed' ? editsOf(changes) : []));
  return [...grouped(edits, (one) => [keyOf(one)]).values()]
    .flatMap(([edit, ...others]) =>
      edit && others.length > 0 ? [{ ...edit, kinds: others.length + 1 }] : [],
    )
    .sort((a, b) => b.kinds - a.kinds)
    .slice(0, MOST_SHARED);
}

/** The edits of a part. */
export function editsOfPart({ part, before, after, marks }: ReportPartChange): Edit[] {
  if (WHOLE.includes(part)) return [{ before: before ?? '', after: after ?? '' }];
  const pattern = part === 'html' || part === 'text' ? PIECES : LINES;
  const [left, right] = [[...(before ?? '').matchAll(pattern)], [...(after ?? '').matchAll(pattern)]];
  return marks.before.slice(0, MOST).flatMap((a, index) => {
    const b = marks.after[index] ?? [0, 0];
    const [lost, added] = [before?.slice(...a) ?? '', after?.slice(...b) ?? ''];
    const isTag = passage(lost === '' ? right : left, lost === '' ? b : a, 0).startsWith('<');
    // A space or a sign is told with the pieces around it.
    for (const around of WORD.test(lost + added) ? [0, 2] : [2]) {
      const [was, is] = [passage(left, a, around, isTag), passage(right, b, around, isTag)];
      // Whole pieces that came or went have no counterpart.
      if (was !== is)
        return [
          {
            before: lost === '' && bare(added).startsWith(bare(is)) ? '' : was,
            after: added === '' && bare(lost).startsWith(bare(was)) ? '' : is,
          },
        ];
    }
    return [];
  });
}

const WORD = /[\p{L}\p{N}]/u;
const bare = (text: string) => text.replace(/\s+/g, ' ').replace(/^[< ]+|[> …]+$/g, '');

/** The pieces in which a place is, and some around them. An empty place is in a tag only if the other side's is. */
function passage(
  pieces: readonly RegExpExecArray[],
  [from, to]: ReportMark,
  around: number,
  isTag = true,
): string {
  const isIn = ({ 0: piece, index }: RegExpExecArray) =>
    from < to
      ? index + piece.length > from
      : index + piece.length >= from && WORD.test(piece) && (isTag || !piece.startsWith('<'));
  const first = pieces.findIndex(isIn);
  const last = from < to ? pieces.findLastIndex(({ index }) => index < to) : first;
  let text = '';
  for (const [piece] of first < 0 ? [] : pieces.slice(Math.max(0, first - around), last + around + 1)) {
    if (text !== '' && text.length + piece.length > LONGEST) return `${text.trim()}…`;
    text += piece.replace(/\s+/g, ' ');
  }
  return text.trim();
}
