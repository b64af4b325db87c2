import ts from 'typescript';
import { sourcesOf, sourceText } from '../support/sources.ts';

const FOLDERS = [
  'kit',
  'core',
  'client',
  'transport',
  'throttle',
  'recipients',
  'resources',
  'entries/journal',
];

/** The name that a piece of code looks up in an object, or says that an object may have. */
function nameIn(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isBindingElement(node)) return textOf(node.propertyName ?? node.name);
  return ts.isPropertySignature(node) || ts.isPropertyAssignment(node) ? textOf(node.name) : undefined;
}

const textOf = (name: ts.PropertyName | ts.BindingName): string | undefined =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;

/** The client's sources. */
export const clientSources = (): readonly string[] =>
  FOLDERS.flatMap((folder) => sourcesOf(folder)).map(({ path }) => path);

/** Every name of a field in these sources, in alphabetical order; not those that every object has. */
export function namesInSources(paths: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (const path of paths) {
    const visit = (node: ts.Node): void => {
      const name = nameIn(node);
      if (name !== undefined && !name.startsWith('#') && !(name in Object.prototype)) names.add(name);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, sourceText(path), ts.ScriptTarget.Latest, true));
  }
  return [...names].sort();
}
