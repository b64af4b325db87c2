import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Argument, Control } from '../../src/testing/control.ts';
import { allControls } from '../../src/testing/controls.ts';
import { withRows } from '../support/written-rows.ts';
import { groups, plainText, words } from './option-words.ts';

const TEST = 'test/testing/guide.test.ts';
const GUIDE = new URL('../../docs/testing.md', import.meta.url);

/** How many fields of an argument a row has. */
const SHOWN = 3;

/** An argument in a call: its first fields if it is an object, otherwise its name. */
function argumentOf(name: string, { kind, isOptional }: Argument): string {
  const [, fields = ''] = /^an object with (.+)$/.exec(kind.what) ?? [];
  if (fields === '') return isOptional ? `${name}?` : name;
  const names = fields.split(', ');
  return `{ ${[...names.slice(0, SHOWN), ...(names.length > SHOWN ? ['…'] : [])].join(', ')} }`;
}

/** A control as a test writes it. */
function callOf(name: string, { takes }: Control): string {
  if (takes === undefined) return `\`${name}\``;
  const given = Object.entries(takes).map(([argument, declared]) => argumentOf(argument, declared));
  return `\`${name}(${given.join(', ')})\``;
}

const controlRows = () => [
  '| call | effect |',
  '| --- | --- |',
  ...allControls().map(([name, control]) => `| ${callOf(name, control)} | ${plainText(control.words)} |`),
];

const optionRows = () => [
  '| option | what it sets | fields |',
  '| --- | --- | --- |',
  ...groups.flatMap(([group, options]) => {
    const names = Object.keys(options);
    const row = (option: string, fields: readonly string[]) => {
      const [what = ''] = plainText(words(undefined).get(option)?.words ?? '').split(/(?<=\.) (?=[A-Z`])/);
      return `| \`${option}\` | ${what} | ${fields.map((field) => `\`${field}\``).join(', ')} |`;
    };
    return group === undefined ? names.map((name) => row(name, [])) : [row(group, names)];
  }),
];

test('docs/testing.md lists every control and every option that the manifests of the areas declare', async () => {
  const guide = readFileSync(GUIDE, 'utf8');
  const withControls = await withRows(guide, TEST, 'controls', controlRows());
  await expect(await withRows(withControls, TEST, 'options', optionRows())).toMatchFileSnapshot(GUIDE.pathname);
});
