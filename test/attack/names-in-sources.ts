import ts from 'typescript';
import { sourcesOf, sourceText } from '../support/sources.ts';

const FOLDERS = ['core', 'client', 'transport', 'throttle', 'recipients', 'resources'];

/** The name that a piece of code looks up in an object, or says that an object may have. */
function nameIn(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isBindingElement(node)) return textOf(node.propertyName ?? node.name);
  return ts.isPropertySignature(node) || ts.isPropertyAssignment(node) ? textOf(node.name) : undefined;
}

const textOf = (name: ts.PropertyName | ts.BindingName): string | undefined =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;

/** Every name of a field in the sources of the client, in alphabetical order; not those that every object really has. */
export function namesInSources(): readonly string[] {
  const names = new Set<string>();
  for (const { path } of FOLDERS.flatMap((folder) => sourcesOf(folder))) {
    const visit = (node: ts.Node): void => {
      const name = nameIn(node);
      if (name !== undefined && !name.startsWith('#') && !(name in Object.prototype)) names.add(name);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, sourceText(path), ts.ScriptTarget.Latest, true));
  }
  return [...names].sort();
}
