import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { sourcesOf } from '../support/sources.ts';
import { table, type Bench } from './bench.ts';

/** The first words of a comment that usually stand for a noun of the field. */
const OPENING = /^(?:What|Where|Those|Of|Whom)\b/;

/** The text of each comment of a file. Line comments on consecutive lines are one comment. */
function commentsOf(source: string): string[] {
  const comments: string[] = [];
  let endOfLineComment = -1;
  const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
  const seen = new Set<number>();
  const read = (range: ts.CommentRange): void => {
    if (seen.has(range.pos)) return;
    seen.add(range.pos);
    const text = source.slice(range.pos, range.end);
    if (range.kind === ts.SyntaxKind.SingleLineCommentTrivia) {
      // The line comment above ends on the line before: only an end of line and indentation are between them.
      const isContinued = /^\r?\n[ \t]*$/.test(source.slice(endOfLineComment, range.pos));
      endOfLineComment = range.end;
      if (!isContinued) comments.push(text.replace(/^\/\/+\s*/, ''));
    } else {
      comments.push(text.replace(/^\/\*+[\s*]*/, ''));
    }
  };
  // Comments are trivia before or after a token, so that a string or a template never contains one.
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    for (const range of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) read(range);
    for (const range of ts.getTrailingCommentRanges(source, node.getEnd()) ?? []) read(range);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return comments;
}

const bench: Bench = {
  title: 'Comments of src whose first word is What, Where, Those, Of or Whom: a figure, not a gate',
  readsSourcesOnly: true,
  run({ root }) {
    const folders = new Map<string, { count: number; total: number }>();
    for (const { path } of sourcesOf('.')) {
      const [, folder = dirname(path)] = /^(src\/[^/]+)\//.exec(path) ?? [];
      const comments = commentsOf(readFileSync(join(root, path), 'utf8'));
      const before = folders.get(folder) ?? { count: 0, total: 0 };
      folders.set(folder, {
        count: before.count + comments.filter((text) => OPENING.test(text)).length,
        total: before.total + comments.length,
      });
    }
    const rows = [...folders].sort(([a], [b]) => a.localeCompare(b));
    const sum = (of: 'count' | 'total') => rows.reduce((all, [, figures]) => all + figures[of], 0);
    return Promise.resolve({
      lines: [
        `comments that begin with What, Where, Those, Of or Whom: ${sum('count')} of ${sum('total')}`,
        '',
        ...table([
          ['folder', 'so', 'comments'],
          ...rows.map(([folder, { count, total }]) => [folder, String(count), String(total)]),
        ]),
      ],
      broken: [],
    });
  },
};

export default bench;
