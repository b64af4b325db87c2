/** A comparison in words: lines for a terminal, and Markdown for a summary. Names and texts are those of other people. */
import { oneLine } from '../../../kit/one-line.ts';
import { headlineOf, IGNORED, valuesText } from '../data/words.ts';
import { editsOf, sharedEdits, type Edit } from '../data/edits.ts';
import type { ReportChanges, ReportKindChange, ReportPartChange } from '../data/data.ts';

type Kind = Omit<ReportKindChange, 'before' | 'after'>;

/** Whether anything changed. What was not kept cannot be told. */
export const isChanged = ({ kinds }: { readonly kinds: readonly Kind[] }): boolean =>
  kinds.some(({ state }) => state === 'changed' || state === 'new' || state === 'gone');

const MARKS: Readonly<Record<ReportKindChange['state'], string>> = {
  changed: '~',
  new: '+',
  gone: '-',
  not_kept: '?',
  not_compared: '?',
  same: ' ',
};

/** The longest quoted text, in characters. */
const LONGEST = 200;
/** More characters than an edit has. */
const WHOLE = 2_000;
/** Cuts a text, on one line. */
const shortened = (text: string, longest = LONGEST) => {
  const line = oneLine(text.slice(0, 4 * longest));
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
};

/** The number of differing places of a part; of a subject, a sender, a category and a template, both texts. */
function partText({ part, before, after, places }: ReportPartChange, name: string, quoted: Quoted) {
  if (part === 'subject' || part === 'from' || part === 'category' || part === 'template')
    return `${part} (was ${quoted(before ?? '')}${after === name || after === null ? '' : `, now ${quoted(after)}`})`;
  if (part === 'recipients')
    return [after && `recipients with ${after}`, before && `recipients without ${before}`]
      .filter((text) => text !== null)
      .join(', ');
  return part === 'html' || part === 'text'
    ? `${part} ${places} ${places === 1 ? 'place' : 'places'}`
    : `${part} ${places}`;
}
type Quoted = (text: string, longest?: number) => string;

const isShown = ({ state, values }: Kind) => state !== 'same' || values.length > 0;
const textOf = ({ state, changes, name, values }: Kind, quoted: Quoted) => {
  if (state === 'same') return valuesText(values);
  const count = changes.reduce((sum, { places }) => sum + places, 0);
  return state === 'not_compared'
    ? `${count} ${count === 1 ? 'passage is' : 'passages are'} not compared`
    : changes.map((one) => partText(one, name, quoted)).join(', ');
};

/** `"12 Mill Lane" → "14 Mill Lane" in 6 kinds` */
function inKinds({ before, after, kinds }: Edit & { readonly kinds: number }, quoted: Quoted): string {
  const [was, is] = [quoted(before, WHOLE), quoted(after, WHOLE)];
  return `${before === '' ? `+ ${is}` : after === '' ? `- ${was}` : `${was} → ${is}`} in ${kinds} kinds`;
}

/** A file may have any text for a level. */
const levelOf = (level: string) => (level === 'error' ? 'error' : 'warning');

/** The lines for a terminal. */
export function linesOfChanges(changes: Omit<ReportChanges, 'kinds'> & { kinds: readonly Kind[] }): string[] {
  const shown = changes.kinds.filter(isShown).map((one) => ({ ...one, line: shortened(one.name, 60) }));
  const width = Math.max(0, ...shown.map(({ line }) => line.length));
  const quoted: Quoted = (text, longest = 60) => `"${shortened(text, longest)}"`;
  const words = (kind: (typeof shown)[number]) =>
    kind.state === 'not_kept' ? 'not kept' : textOf(kind, quoted);
  return [
    headlineOf(changes),
    ...sharedEdits(changes.kinds).map((one) => ` ~ ${inKinds(one, quoted)}`),
    ...shown.map((kind) => ` ${MARKS[kind.state]} ${kind.line.padEnd(width)}  ${words(kind)}`.trimEnd()),
    ...(['added', 'gone'] as const).flatMap((name) =>
      changes.findings[name].map(
        ({ level, kind, message }) =>
          ` ${name === 'added' ? 'new' : 'gone'} ${levelOf(level)}: ${shortened(kind, 60)}: ${shortened(message)}`,
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

/** Edits as a block of code. */
function block(edits: readonly Edit[]): string {
  const lines = edits.flatMap(({ before, after }) => [
    ...(before === '' ? [] : [`- ${shortened(before, WHOLE)}`]),
    ...(after === '' ? [] : [`+ ${shortened(after, WHOLE)}`]),
  ]);
  const fence = fenceFor(lines.join('\n'), 3);
  return [`${fence}diff`, ...lines, fence].map((line) => `  ${line}`).join('\n');
}

/** The subject of the email of a new kind; nothing where its name is the subject. */
const subjectOf = ({ state, name, after }: Pick<ReportKindChange, 'state' | 'name' | 'after'>) =>
  state === 'new' && after !== null && after.subject !== name ? `: subject ${code(after.subject)}` : '';

/** Markdown for a summary of a step or for a comment: at most 60 kB. */
export function markdownOf(changes: ReportChanges): string {
  const shared = sharedEdits(changes.kinds);
  const items = changes.kinds.filter(isShown).map((kind) => {
    const title = `- ${{ changed: 'Changed', new: 'New', gone: 'Gone', not_kept: 'Not kept', not_compared: 'Not compared', same: 'The same' }[kind.state]}: ${code(kind.name)}${subjectOf(kind)}`;
    if (kind.changes.length === 0 && kind.state !== 'same') return title;
    const parts = textOf(kind, code);
    const edits = editsOf(kind.changes, shared).slice(0, 6);
    return edits.length === 0 ? `${title}: ${parts}` : `${title}: ${parts}\n\n${block(edits)}`;
  });
  const findings = (['added', 'gone'] as const).flatMap((name) =>
    changes.findings[name].map(
      ({ level, kind, message }) =>
        `- ${name === 'added' ? 'New' : 'Gone'} ${levelOf(level)} in ${code(kind)}: ${code(message)}`,
    ),
  );
  const all = [...shared.map((one) => `- ${inKinds(one, code)}`), ...items, ...findings];
  let text = `### Emails: ${headlineOf(changes)}\n\n${IGNORED}\n`;
  for (const [index, item] of all.entries()) {
    const next = `${text}\n${item}\n`;
    if (bytesOf(next) > MOST_BYTES - 100) return `${text}\n- … and ${all.length - index} more\n`;
    text = next;
  }
  return text;
}
