import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../src/resources');

/** The docstring of a method. */
export interface MethodDocs {
  /** Its text up to the first tag, on one line. */
  readonly text: string;
  readonly tags: readonly string[];
}

/** The docstrings of all resources and their methods, by class and method: `Campaigns`, `Campaigns.list`. */
export function methodDocs(): ReadonlyMap<string, MethodDocs> {
  const found = new Map<string, MethodDocs>();
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (!ts.isClassDeclaration(statement) || !statement.name) continue;
      const owner = statement.name.text;
      const methods = statement.members.filter((member) => ts.isMethodDeclaration(member));
      for (const [name, node] of [
        [owner, statement] as const,
        ...methods.map((method) => [`${owner}.${method.name.getText()}`, method] as const),
      ]) {
        const [docs] = ts.getJSDocCommentsAndTags(node);
        if (docs === undefined || !ts.isJSDoc(docs)) continue;
        found.set(name, {
          text: (ts.getTextOfJSDocComment(docs.comment) ?? '').replace(/\s+/g, ' '),
          tags: (docs.tags ?? []).map((tag) => tag.tagName.text),
        });
      }
    }
  }
  return found;
}
