import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

// The file of a path: `src/testing/**/mask.ts` is the one file with that name in the folder.
function fileOf(path) {
  const [folder, name] = path.split('/**/');
  if (name === undefined) return path;
  const found = readdirSync(folder, { recursive: true }).filter((file) => `/${file}`.endsWith(`/${name}`));
  if (found.length !== 1) throw new Error(`${path} are ${found.length} files`);
  return `${folder}/${found[0]}`;
}

/** The lines of functions, methods and classes of a file, as Stryker reads them. */
function linesOf(file, names) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const ranges = new Map();
  const visit = (node) => {
    const name = node.name === undefined ? undefined : node.name.text;
    const isCode =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isVariableDeclaration(node);
    if (isCode && names.includes(name) && !ranges.has(name))
      ranges.set(name, `${file}:${lineAt(node.getStart(source))}-${lineAt(node.end)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const missing = names.filter((name) => !ranges.has(name));
  if (missing.length > 0) throw new Error(`${file} has no ${missing.join(', ')}: see areas.mjs`);
  return [...ranges.values()];
}

/** The places of an area, with the lines that they have now. */
export const placesOf = ({ mutate }) =>
  mutate.flatMap((place) => {
    const [, path, names] = /^([^#]+)#?(.*)$/.exec(place);
    const file = fileOf(path);
    return names === '' ? [file] : linesOf(file, names.split(','));
  });
