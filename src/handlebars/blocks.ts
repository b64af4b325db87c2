import { TemplateTooComplex } from './errors.ts';

/** How deep blocks may be nested. */
const MAX_DEPTH = 100;

/** A block that is open. Each `{{else if}}` of it is a block within the one before. */
interface Open {
  readonly at: number;
  depth: number;
}

/** How a tag begins that opens a block, closes one, or begins another one in the place of the rest. */
const HEAD = /\{\{(?:\{\{)?~?\s*(?:(?<open>#|\^(?!\s*~?\}))|(?<close>\/)|(?<chain>else\s+(?=[^\s~}])))/y;

/**
 * Looks at the blocks of a template before it is parsed: the parser calls itself for each block within another one, and
 * would run out of stack. Returns the innermost block that is never closed.
 *
 * @throws {@link TemplateTooComplex} for blocks that are nested too deep
 */
export function unclosedBlock(template: string): { readonly tag: string; readonly line: number } | undefined {
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

/** The position after a tag, where the search goes on. A comment's content has no tags. */
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
  };
}
