import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  MESSAGE_FIELDS,
  PART_FIELDS,
  type Field,
  type Treatment,
} from '../../src/entries/nodemailer/fields.ts';
import { withRows } from '../support/written-rows.ts';
import { root } from './snippets.ts';

const GUIDE = `${root}docs/nodemailer.md`;

/** What the guide calls a treatment. */
const WORDS: Readonly<Record<Treatment, string>> = {
  mapped: 'sent',
  header: 'sent as a header',
  nodemailer: 'nodemailer acts on it',
  'no effect': 'has no effect',
  refused: 'refused',
  'refused by default': 'refused, unless `ignore` names it',
};

const rowsOf = (table: Readonly<Record<string, Field>>) => [
  '| field | what happens to it | |',
  '| --- | --- | --- |',
  ...Object.keys(WORDS).flatMap((treatment) =>
    Object.entries(table)
      .filter(([, field]) => field.treatment === treatment)
      .map(([name, { text }]) => `| \`${name}\` | ${WORDS[treatment as Treatment]} | ${text} |`),
  ),
];

test('docs/nodemailer.md has the tables by which messages are read', async () => {
  const guide = readFileSync(GUIDE, 'utf8');
  const withFields = await withRows(guide, 'fields', rowsOf(MESSAGE_FIELDS));
  await expect(await withRows(withFields, 'parts', rowsOf(PART_FIELDS))).toMatchFileSnapshot(GUIDE);
});
