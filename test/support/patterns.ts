import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type TypeScript from 'typescript';

const src = join(import.meta.dirname, '../../src');

/** Every pattern of the sources, as a literal, with its file: literals, and `new RegExp` of texts that are constant. */
export function patternsIn(ts: typeof TypeScript): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(path)) continue;
    const file = ts.createSourceFile(path, readFileSync(join(src, path), 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node: TypeScript.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.set(node.text, path);
      if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
        const [source, flags] = node.arguments ?? [];
        if (source !== undefined && ts.isStringLiteralLike(source)) {
          const suffix = flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : '';
          found.set(`/${source.text}/${suffix}`, path);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}
