import { TemplateTooComplex } from './errors.ts';

/** The maximum nesting of blocks. */
const MAX_DEPTH = 100;

/** An open block. Each `{{else if}}` is a block inside the previous one. */
interface Open {
  readonly at: number;
  depth: number;
}

/** The beginning of a tag that opens a block, closes one, or chains another one with `else`. */
const HEAD = /\{\{(?:\{\{)?~?\s*(?:(?<open>#|\^(?!\s*~?\}))|(?<close>\/)|(?<chain>else\s+(?=[^\s~}])))/y;

/**
 * Checks the blocks of a template before it is parsed: the parser recurses into each block and would overflow the
 * stack. Returns the innermost block without an end.
 *
 * @throws {@link TemplateTooComplex} for blocks that are nested too deep
 */
export function unclosedBlock(
  template: string,
): { readonly tag: string; readonly line: number; readonly column: number } | undefined {
  const open: Open[] = [];
  let depth = 0;
  for (let at = template.indexOf('{{'); at >= 0; at = template.indexOf('{{', at)) {
    HEAD.lastIndex = at;
    const { groups } = HEAD.exec(template) ?? {};
    if (groups?.open !== undefined) {
      open.push({ at, depth: 1 });
      depth += 1;
    } else if (groups?.close !== undefined) {
      depth -= open.pop()?.depth ?? 0;
    } else if (groups?.chain !== undefined) {
      const outer = open.at(-1);
      if (outer !== undefined) outer.depth += 1;
      depth += 1;
    }
    if (depth > MAX_DEPTH) throw new TemplateTooComplex();
    at = endOf(template, at);
  }
  const last = open.at(-1);
  return last && tagAt(template, last.at);
}

/** The position after a tag, from which the search continues. A comment's content has no tags. */
function endOf(template: string, at: number): number {
  const start = template.slice(at, at + 6).replace('~', '');
  if (!start.startsWith('{{!')) return at + 2;
  const end = template.indexOf(start.startsWith('{{!--') ? '--' : '}}', at + 5);
  return end < 0 ? template.length : end;
}

function tagAt(template: string, at: number) {
  const end = template.indexOf('}}', at);
  const tag = template.slice(at, end < 0 ? undefined : end + 2);
  return {
    tag: tag.length > 40 ? `${tag.slice(0, 40)}…` : tag,
    line: template.slice(0, at).split('\n').length,
    column: at - template.lastIndexOf('\n', at - 1),
  };
}
