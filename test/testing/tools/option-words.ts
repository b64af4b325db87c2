import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { areas } from '../../../src/testing/service/areas/all.ts';
import { areaOptions, areaValues } from '../../../src/testing/service/create-options.ts';
import { generalOptions } from '../../../src/testing/service/general-options.ts';
import type { Option } from '../../../src/testing/declare/option.ts';

/** An interface of options. An area declares it beside the records it decides about. */
const OPTIONS = /^Emulator\w*(?:Options|Timing)$/;

/** The words of every option in a file, from the docstrings of its interfaces: what it does, without its default. */
function wordsOf(file: string): Map<string, { words: string; written: string | undefined }> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = new Map<string, { words: string; written: string | undefined }>();
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) && !OPTIONS.test(node.name.text)) return;
    if (ts.isPropertySignature(node) && ts.isIdentifier(node.name)) {
      const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
      const tag = doc?.tags?.find(({ tagName }) => tagName.text === 'defaultValue');
      found.set(node.name.text, {
        words: (ts.getTextOfJSDocComment(doc?.comment) ?? '').replace(/\s+/g, ' '),
        written: ts.getTextOfJSDocComment(tag?.comment),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const FILES = ['src/testing/service/emulator-options.ts', 'src/testing/service/state/emails/course.ts'];
/** The files of an area, and those of the state that it takes its options from. */
const filesOf = (option: string): string[] => {
  const { name = 'no area has it' } = areas.find(({ options = {} }) => option in options) ?? {};
  const folder = join('src/testing/service/areas', name);
  const ofState = readFileSync(join(folder, 'area.ts'), 'utf8').matchAll(/'(\.\.\/\.\.\/state\/.+\/.+)'/g);
  return [...readdirSync(folder), ...Array.from(ofState, ([, path = '']) => path)].map((file) =>
    join(folder, file),
  );
};
/** The words of the options of a group, or of those that belong to no area. */
export const words = (option: string | undefined) =>
  new Map([...FILES, ...(option === undefined ? [] : filesOf(option))].flatMap((file) => [...wordsOf(file)]));

/** The options that belong to no area, and those of every area under their name. */
export const groups: (readonly [
  name: string | undefined,
  options: Readonly<Record<string, Option<unknown>>>,
])[] = [[undefined, { ...generalOptions, ...areaValues() }], ...areaOptions()];

/** The words of a docstring in the cell of a table. */
export const plainText = (words: string) =>
  words.replaceAll('|', '\\|').replace(/\{@link (?:\w+\.)?([\w.]+)\}/g, '`$1`');
