import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { everyControl } from '../../../src/testing/emulator/controls/controls.ts';

/** The docstring of every member of an interface of the emulator, by their names. */
function docstrings(): Map<string, string> {
  const found = new Map<string, string>();
  const files = readdirSync('src/testing', { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts')).map((name) => join('src/testing', name))) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements.filter(ts.isInterfaceDeclaration)) {
      for (const member of statement.members) {
        if (member.name === undefined || !ts.isIdentifier(member.name)) continue;
        const [doc] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
        const words = ts.getTextOfJSDocComment(doc?.comment) ?? '';
        found.set(`${statement.name.text}.${member.name.text}`, words.replace(/\s+/g, ' '));
      }
    }
  }
  return found;
}

/** `campaigns.add` is declared by `EmulatorCampaigns`, and `reset` by `Emulator` or `EmulatorControls`. */
function declarationsOf(name: string): string[] {
  const [group = '', member] = name.split('.');
  if (member === undefined) return [`Emulator.${group}`, `EmulatorControls.${group}`];
  return [`Emulator${group.slice(0, 1).toUpperCase()}${group.slice(1)}.${member}`];
}

const firstSentence = (words: string) =>
  (words.split(/(?<=\.) (?=[A-Z`])/)[0] ?? '').replace(/\{@link (?:\w+\.)?(\w+)\}/g, '`$1`');

/** The first sentence of the docstring of each control, by its name; empty without a docstring. */
export function controlWords(): Map<string, string> {
  const docs = docstrings();
  return new Map(
    everyControl().map(([name]) => {
      const [doc = ''] = declarationsOf(name).flatMap((one) => docs.get(one) ?? []);
      return [name, firstSentence(doc)];
    }),
  );
}
