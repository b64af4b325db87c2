import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Argument } from '../../../../src/testing/service/routing/control.ts';
import { everyControl } from '../../../../src/testing/emulator/controls/controls.ts';
import { snakeCase } from '../../../../src/testing/emulator/control-api/path.ts';
import {
  type Named,
  type Operation,
  operationOf,
  OWN_OPERATIONS,
} from '../../../../src/testing/emulator/control-api/operations.ts';
import { withRows } from '../../../support/written-rows.ts';
import { controlWords } from '../../tools/control-words.ts';
import { plainText } from '../../tools/option-words.ts';

const OTHER_LANGUAGES = new URL('../../../../docs/other-languages.md', import.meta.url);

/** An argument in a call: its name, or `{ … }` for an object. */
const argumentOf = (name: string, { kind, isOptional }: Argument) =>
  kind.what.startsWith('an object with ') ? '{ … }' : `${name}${isOptional ? '?' : ''}`;

/** A method as a test calls it. */
function callOf({ name, control: { takes } }: Named): string {
  if (takes === undefined) return `\`${name}\``;
  const given = Object.entries(takes).map(([argument, declared]) => argumentOf(argument, declared));
  return `\`${name}(${given.join(', ')})\``;
}

/** How many fields of a request a row has. */
const SHOWN_FIELDS = 5;

const requestOf = ({ method, path }: Operation) => `\`${method} ${path}\``;

/** The fields of a request: those of its body, or else those of its query. */
function fieldsOf({ query, body }: Operation): string {
  const form = body?.form;
  const all = form?.type === 'object' ? Object.keys(form.fields) : Object.keys(query).map(snakeCase);
  const fields = all.length > SHOWN_FIELDS + 1 ? [...all.slice(0, SHOWN_FIELDS), '…'] : all;
  return fields.map((field) => (field === '…' ? field : `\`${field}\``)).join(', ');
}

/** Every method of the emulator with its request, and then the requests that have no method. */
const controlRows = (effects = controlWords()) => [
  '| method | request | fields | effect |',
  '| --- | --- | --- | --- |',
  ...everyControl().map(([name, control]) => {
    const operation = operationOf({ name, control });
    return `| ${callOf({ name, control })} | ${requestOf(operation)} | ${fieldsOf(operation)} | ${plainText(effects.get(name) ?? '')} |`;
  }),
  ...OWN_OPERATIONS.map(
    (operation) => `| | ${requestOf(operation)} | ${fieldsOf(operation)} | ${plainText(operation.words)} |`,
  ),
];

test('docs/other-languages.md lists every method of the emulator, and every request of the control API', async () => {
  const guide = readFileSync(OTHER_LANGUAGES, 'utf8');
  await expect(await withRows(guide, 'controls', controlRows())).toMatchFileSnapshot(
    OTHER_LANGUAGES.pathname,
  );
});
