/** Blocks: what stands between two tags of HTML that begin a line, a row of a table without other blocks, a line of a text. */
import type { Token } from './tokens.ts';

/** The words `from` to `to` of a part, without the last. */
export type Range = readonly [from: number, to: number];

/** Tags that stand within a line. */
const INLINE = /^<\/?(?:a|abbr|b|br|i|u|s|em|strong|span|font|small|big|su[bp]|code|mark|img|label|!--.*)$/i;
const ROW = /<tr[\s>](?:(?!<(?:tr|table|p|div|h\d|[uo]l|hr)[\s>])[^])*?<\/tr/gi;

/** The blocks of HTML. */
export function htmlBlocks(html: string, tokens: readonly Token[]): Range[] {
  const rows = Array.from(html.matchAll(ROW), ({ 0: row, index }) => ({
    from: index,
    to: index + row.length,
  }));
  const cuts = tokens.flatMap(({ key, start }, at) => {
    if (html[start - 1] !== '<' || INLINE.test(key)) return [];
    while (rows[0] !== undefined && rows[0].to < start) rows.shift();
    const isInRow = rows[0] !== undefined && rows[0].from < start - 1 && start < rows[0].to - 3;
    return isInRow ? [] : [key.startsWith('</') ? at + 1 : at];
  });
  return between(cuts, tokens.length);
}

/** The lines of a text. */
export const lineBlocks = (text: string, tokens: readonly Token[]): Range[] =>
  between(
    tokens.flatMap(({ start }, at) =>
      text.slice(tokens[at - 1]?.end ?? 0, start).includes('\n') ? [at] : [],
    ),
    tokens.length,
  );

const between = (cuts: readonly number[], end: number) =>
  [...cuts, end].flatMap((to, index): Range[] => {
    const from = cuts[index - 1] ?? 0;
    return from < to ? [[from, to]] : [];
  });
