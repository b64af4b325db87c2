/** A comparison in words: lines for a terminal, and Markdown for a summary. Names and texts are those of other people. */
import { oneLine } from '../../../kit/one-line.ts';
import { IGNORED } from '../data/words.ts';
import type { ReportChanges, ReportKindChange, ReportPartChange } from '../data/data.ts';

type Changes<Change> = Pick<ReportChanges, 'findings'> & {
  readonly kinds: readonly (Pick<ReportKindChange, 'name' | 'state'> & {
    readonly changes: readonly Change[];
  })[];
};
type States = Pick<Changes<unknown>, 'kinds'>;
type ChangeText = Pick<ReportPartChange, 'part' | 'before' | 'places'>;

/** Whether anything changed. What was not kept cannot be told. */
export const isChanged = ({ kinds }: States): boolean =>
  kinds.some(({ state }) => state === 'changed' || state === 'new' || state === 'gone');

/** `2 of 14 kinds changed, 1 new, 1 gone, 10 the same` */
export function headlineOf({ kinds }: States): string {
  const count = (state: ReportKindChange['state']) => kinds.filter((one) => one.state === state).length;
  const others = [
    [count('new'), 'new'],
    [count('gone'), 'gone'],
    [count('not_kept'), 'not kept'],
    [count('same'), 'the same'],
  ] as const;
  return [
    `${count('changed')} of ${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'} changed`,
    ...others.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`),
  ].join(', ');
}

const MARKS: Readonly<Record<ReportKindChange['state'], string>> = {
  changed: '~',
  new: '+',
  gone: '-',
  not_kept: '?',
  same: ' ',
};

/** The longest quoted text, in characters. */
const LONGEST = 200;
/** Cuts a text, on one line. */
const shortened = (text: string, longest = LONGEST) => {
  const line = oneLine(text.slice(0, 4 * longest));
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
};

/** The number of differing places of a part; of a subject, a sender, a category and a template, the earlier one. */
function partText({ part, before, places }: ChangeText, quoted: (text: string) => string) {
  if (part === 'subject' || part === 'from' || part === 'category' || part === 'template')
    return `${part} (was ${quoted(before ?? '')})`;
  return part === 'html' || part === 'text'
    ? `${part} ${places} ${places === 1 ? 'place' : 'places'}`
    : `${part} ${places}`;
}

/** A file may have any text for a level. */
const levelOf = (level: string) => (level === 'error' ? 'error' : 'warning');

/** The lines for a terminal. */
export function linesOfChanges(changes: Changes<ChangeText>): string[] {
  const shown = changes.kinds
    .filter(({ state }) => state !== 'same')
    .map((one) => ({ ...one, name: shortened(one.name, 60) }));
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  const words = (kind: (typeof shown)[number]) =>
    kind.state === 'not_kept'
      ? 'not kept'
      : kind.changes.map((one) => partText(one, (text) => `"${shortened(text, 60)}"`)).join(', ');
  return [
    headlineOf(changes),
    ...shown.map((kind) => ` ${MARKS[kind.state]} ${kind.name.padEnd(width)}  ${words(kind)}`.trimEnd()),
    ...(['added', 'gone'] as const).flatMap((name) =>
      changes.findings[name].map(
        ({ level, kind, message }) =>
          ` ${name === 'added' ? 'new' : 'gone'} finding (${levelOf(level)}): ${shortened(kind, 60)}: ${shortened(message)}`,
      ),
    ),
  ];
}

/** The most bytes of a summary. A service shows no more than 64 kB of a comment. */
const MOST_BYTES = 60_000;
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** More backticks than a text has in a row. */
function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}

/** A text as code: nothing in it is Markdown, HTML, a link, a mention of a person or the number of an issue. */
function code(text: string, longest = LONGEST): string {
  const shown = shortened(text, longest);
  const fence = fenceFor(shown, 1);
  return shown === '' ? '(empty)' : `${fence} ${shown} ${fence}`;
}

/** The lines around the first differing places, as a block of code. */
function block(change: ReportPartChange): string {
  const excerpts = (text: string | null, marks: ReportPartChange['marks']['before'], sign: string) =>
    marks.slice(0, 3).map(([from, to]) => {
      const all = text ?? '';
      return `${sign} ${shortened(`${from > 40 ? '…' : ''}${all.slice(Math.max(0, from - 40), Math.min(to, from + 160))}${all.slice(to, to + 40)}`, 300)}`;
    });
  const lines = [
    ...excerpts(change.before, change.marks.before, '-'),
    ...excerpts(change.after, change.marks.after, '+'),
  ].join('\n');
  const fence = fenceFor(lines, 3);
  return `  ${fence}diff\n${lines.replace(/^/gm, '  ')}\n  ${fence}`;
}

/** The subject of the email of a new kind; nothing where its name is the subject. */
const subjectOf = ({ state, name, after }: Pick<ReportKindChange, 'state' | 'name' | 'after'>) =>
  state === 'new' && after !== null && after.subject !== name ? `: subject ${code(after.subject)}` : '';

/** Markdown for a summary of a step or for a comment: at most 60 kB. */
export function markdownOf(
  changes: Pick<ReportChanges, 'findings'> & {
    readonly kinds: readonly Pick<ReportKindChange, 'name' | 'state' | 'changes' | 'after'>[];
  },
): string {
  const items = changes.kinds
    .filter(({ state }) => state !== 'same')
    .map((kind) => {
      const title = `- ${{ changed: 'Changed', new: 'New', gone: 'Gone', not_kept: 'Not kept', same: '' }[kind.state]}: ${code(kind.name)}${subjectOf(kind)}`;
      if (kind.changes.length === 0) return title;
      const parts = kind.changes.map((one) => partText(one, code)).join(', ');
      return [`${title}: ${parts}`, '', ...kind.changes.map((one) => `${block(one)}\n`)].join('\n').trimEnd();
    });
  const findings = (['added', 'gone'] as const).flatMap((name) =>
    changes.findings[name].map(
      ({ level, kind, message }) =>
        `- ${name === 'added' ? 'New' : 'Gone'} finding (${levelOf(level)}) in ${code(kind)}: ${code(message)}`,
    ),
  );
  const all = [...items, ...findings];
  let text = `### Emails: ${headlineOf(changes)}\n\n${IGNORED}\n`;
  for (const [index, item] of all.entries()) {
    const next = `${text}\n${item}\n`;
    if (bytesOf(next) > MOST_BYTES - 100) return `${text}\n- … and ${all.length - index} more\n`;
    text = next;
  }
  return text;
}
