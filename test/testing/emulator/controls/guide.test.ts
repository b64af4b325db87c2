import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Argument, Control } from '../../../../src/testing/service/routing/control.ts';
import { allControls, everyControl } from '../../../../src/testing/emulator/controls/controls.ts';
import { snakeCase } from '../../../../src/testing/emulator/control-api/path.ts';
import {
  operationOf,
  OWN_OPERATIONS,
  serving,
} from '../../../../src/testing/emulator/control-api/operations.ts';
import { requestFor } from '../../../../src/testing/emulator/control-api/requests.ts';
import { withRows } from '../../../support/written-rows.ts';
import { groups, plainText, words } from '../../tools/option-words.ts';

const TEST = 'test/testing/emulator/controls/guide.test.ts';
const GUIDE = new URL('../../../../docs/testing.md', import.meta.url);
const OTHER_LANGUAGES = new URL('../../../../docs/other-languages.md', import.meta.url);

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

const effectOf = (name: string) => {
  const { words, inProcess } = requestFor(name);
  return inProcess === undefined ? words : `${words} ${inProcess}`;
};

const controlRows = () => [
  '| call | effect |',
  '| --- | --- |',
  ...allControls().map(([name, control]) => `| ${callOf(name, control)} | ${plainText(effectOf(name))} |`),
];

const optionRows = () => [
  '| option | what it sets | fields |',
  '| --- | --- | --- |',
  ...groups.flatMap(([group, options]) => {
    const names = Object.keys(options);
    const row = (option: string, fields: readonly string[]) => {
      const [what = ''] = plainText(words(undefined).get(option)?.words ?? '').split(/(?<=\.) (?=[A-Z`])/);
      return `| \`${option}\` | ${what} | ${fields.map((field) => (field === '…' ? field : `\`${field}\``)).join(', ')} |`;
    };
    return group === undefined ? names.map((name) => row(name, [])) : [row(group, names)];
  }),
];

/** How many fields of a request a row has. */
const SHOWN_FIELDS = 5;

/** The requests of the control API, by their paths, with what they take. */
function requestRows(): string[] {
  const controls = serving(everyControl().map(([name, control]) => ({ name, control })));
  const rows = [...controls.map(operationOf), ...OWN_OPERATIONS];
  return [
    '| request | takes | effect |',
    '| --- | --- | --- |',
    ...rows
      .map(({ method, path, query, body, words: effect }) => {
        const form = body?.form;
        const all = form?.type === 'object' ? Object.keys(form.fields) : Object.keys(query).map(snakeCase);
        const fields = all.length > SHOWN_FIELDS + 1 ? [...all.slice(0, SHOWN_FIELDS), '…'] : all;
        return `| \`${method} ${path}\` | ${fields.map((field) => (field === '…' ? field : `\`${field}\``)).join(', ')} | ${plainText(effect)} |`;
      })
      .sort(),
  ];
}

test('docs/testing.md lists every control and every option that the manifests of the areas declare', async () => {
  const guide = readFileSync(GUIDE, 'utf8');
  const withControls = await withRows(guide, TEST, 'controls', controlRows());
  await expect(await withRows(withControls, TEST, 'options', optionRows())).toMatchFileSnapshot(
    GUIDE.pathname,
  );
});

test('docs/other-languages.md lists every request of the control API', async () => {
  const guide = readFileSync(OTHER_LANGUAGES, 'utf8');
  await expect(await withRows(guide, TEST, 'requests', requestRows())).toMatchFileSnapshot(
    OTHER_LANGUAGES.pathname,
  );
});
