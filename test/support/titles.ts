/** The titles of tests, as their files have them. */
import ts from 'typescript';

/** The name that a call begins with: `test` of `test.skipIf(…).each(…)(…)`. */
function rootOf(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return rootOf(node.expression);
  return ts.isTaggedTemplateExpression(node) ? rootOf(node.tag) : '';
}

/** Calls `visit` for every node of a text. */
function visitAll(text: string, visit: (node: ts.Node, source: ts.SourceFile) => void): void {
  const source = ts.createSourceFile('titles.tsx', text, ts.ScriptTarget.Latest);
  const each = (node: ts.Node): void => {
    visit(node, source);
    ts.forEachChild(node, each);
  };
  each(source);
}

/** The titles of the tests of a text, and of their groups. */
export function titlesIn(text: string): string[] {
  const titles: string[] = [];
  visitAll(text, (node, source) => {
    if (!ts.isCallExpression(node) || !['test', 'describe'].includes(rootOf(node.expression))) return;
    const [title] = node.arguments;
    if (title === undefined) return;
    if (ts.isStringLiteralLike(title)) titles.push(title.text);
    else if (ts.isTemplateExpression(title)) titles.push(title.getText(source));
  });
  return titles;
}

/** The texts of more than one word in a source, with a `…` for each expression in them. */
export function textsIn(text: string): string[] {
  const texts: string[] = [];
  visitAll(text, (node) => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node))
      texts.push(
        [node.head, ...node.templateSpans.map(({ literal }) => literal)]
          .map(({ text: part }) => part)
          .join('…'),
      );
  });
  return texts.filter((one) => /\w \w/.test(one));
}
