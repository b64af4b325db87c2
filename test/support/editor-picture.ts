/** The picture of an editor beside a program that has run, as SVG. */
import { drawn, HEIGHT, MARGIN, pictureOf, WIDTH } from './terminal.ts';

/** A name that an editor offers, and its text. */
interface Offered {
  readonly name: string;
  readonly text: string;
}

/** The characters in a line, on the left and on the right. */
const COLUMNS = { left: 70, right: 57 };
const KEYWORDS = /^(?:import|from|const|new|await|try|catch|if|throw|instanceof)$/;

/** Draws lines of code from a place on. */
function codeAt(code: string, x: number, y: number): string {
  const words = code.split('\n').flatMap((line, row) =>
    [...line.matchAll(/'[^']*'|\w+|[^\w\s']+/g)].map(({ 0: word, index }) => {
      const style = word.startsWith("'") ? 'fill="#0a3069"' : KEYWORDS.test(word) ? 'fill="#8250df"' : '';
      return drawn(word, x + index * WIDTH, y + row * HEIGHT, style);
    }),
  );
  return words.join('');
}

/** Draws a program whose last line is being completed, with the offered names; and beside it another one, with its output. */
export function editorPicture(
  typed: { readonly code: string; readonly offered: readonly Offered[]; readonly chosen: string },
  run: { readonly code: string; readonly command: string; readonly output: string },
): string {
  const lines = typed.code.split('\n').length;
  const panel = COLUMNS.left * WIDTH + 2 * MARGIN;
  const height = (lines + typed.offered.length) * HEIGHT + 2 * MARGIN + 8;
  const first = MARGIN + 15;
  const top = MARGIN + lines * HEIGHT + 4;
  const names = Math.max(...typed.offered.map(({ name }) => name.length)) + 2;
  const list = typed.offered.map(({ name, text }, row) => {
    const y = top + row * HEIGHT;
    const mark = `  <rect x="${MARGIN}" y="${y}" width="${COLUMNS.left * WIDTH}" height="${HEIGHT}" fill="#ddf4ff" />\n`;
    const room = COLUMNS.left - names - 2;
    const shown = text.length > room ? `${text.slice(0, room - 1)}…` : text;
    return [
      name === typed.chosen ? mark : '',
      drawn(name, MARGIN + WIDTH, y + 15),
      drawn(shown, MARGIN + (names + 1) * WIDTH, y + 15, 'fill="#59636e"'),
    ].join('');
  });
  const box = `  <rect x="${MARGIN}" y="${top}" width="${COLUMNS.left * WIDTH}" height="${list.length * HEIGHT}" fill="#fff" stroke="#d1d9e0" />\n`;
  const right = panel + MARGIN;
  const below = first + (run.code.split('\n').length + 1) * HEIGHT;
  const rule = `  <line x1="${panel}" y1="0" x2="${panel}" y2="${height}" stroke="#d1d9e0" />\n`;
  const printed = run.output
    .split('\n')
    .map((line, row) => drawn(line, right, below + (row + 1) * HEIGHT))
    .join('');
  const command = drawn(`$ ${run.command}`, right, below, 'font-weight="bold"');
  const left = codeAt(typed.code, MARGIN, first) + box + list.join('');
  return pictureOf(
    panel + COLUMNS.right * WIDTH + 2 * MARGIN,
    height,
    left + rule + codeAt(run.code, right, first) + command + printed,
  );
}
