/** Pictures of a terminal, as SVG. */

/** The size of a character, and the margin, in pixels. */
export const WIDTH = 8;
export const HEIGHT = 20;
export const MARGIN = 16;

/** The escape sequences of `src/cli/colours.ts`, and their appearance on a light background. */
const STYLES: Readonly<Record<string, string>> = {
  1: 'font-weight="bold"',
  31: 'fill="#b3261e"',
};

/** A terminal after a command. */
export interface Terminal {
  readonly command: string;
  /** The printed text, with escape sequences for bold and red. */
  readonly output: string;
  /** The number of characters in a line: a longer line continues below. */
  readonly columns?: number;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Draws a text, with its left end and its base line at a place. */
export const drawn = (text: string, x: number, y: number, style = ''): string =>
  // Every monospace font fits: the picture states the length of the text.
  `  <text x="${x}" y="${y}" textLength="${text.length * WIDTH}"${style && ` ${style}`}>${escaped(text)}</text>\n`;

/** A picture on a light background. */
export const pictureOf = (width: number, height: number, inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#1f2328" xml:space="preserve">
  <rect width="${width}" height="${height}" rx="6" fill="#f6f8fa" />
${inside}</svg>
`;

/** A part of a line in one style. */
interface Run {
  readonly text: string;
  readonly style: string;
}

/** Splits printed text into runs. A style ends with the next sequence, as no text has two. */
function runsOf(text: string): Run[] {
  const [first = '', ...others] = text.split('\u001B[');
  const styled = others.map((part): Run => {
    const [sequence, code = ''] = /^(\d+)m/.exec(part) ?? [];
    if (sequence === undefined) throw new Error(`The picture cannot show the sequence "ESC[${part}".`);
    return { text: part.slice(sequence.length), style: STYLES[code] ?? '' };
  });
  return [{ text: first, style: '' }, ...styled];
}

/** Arranges printed text in lines of at most `columns` characters. */
function linesOf(output: string, columns: number): Run[][] {
  const lines: Run[][] = [[]];
  let column = 0;
  for (const { text, style } of runsOf(output)) {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) {
        lines.push([]);
        column = 0;
      }
      let rest = line;
      while (rest.length > 0) {
        if (column === columns) {
          lines.push([]);
          column = 0;
        }
        const part = rest.slice(0, columns - column);
        lines.at(-1)?.push({ text: part, style });
        column += part.length;
        rest = rest.slice(part.length);
      }
    }
  }
  return lines;
}

/** Draws a terminal: the command after a prompt, and below it what it printed. */
export function terminalPicture({ command, output, columns = 120 }: Terminal): string {
  const printed = `\u001B[1m$ ${command}\u001B[22m\n${output.trimEnd()}`;
  const lines = linesOf(printed, columns);
  const width = columns * WIDTH + 2 * MARGIN;
  const height = lines.length * HEIGHT + 2 * MARGIN;
  const texts = lines.flatMap((runs, row) => {
    let x = MARGIN;
    return runs.map(({ text, style }) => {
      const at = x;
      x += text.length * WIDTH;
      return drawn(text, at, MARGIN + row * HEIGHT + 15, style);
    });
  });
  return pictureOf(width, height, texts.join(''));
}
