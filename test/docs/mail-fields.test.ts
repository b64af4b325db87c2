import { readFileSync } from 'node:fs';
import type { EmailPlatform, SendParams } from 'email-platform';
import type { KeysOfUnion } from 'type-fest';
import { expect, test } from 'vitest';
import { MESSAGE_FIELDS, PART_FIELDS, type Field } from '../../src/entries/nodemailer/fields.ts';
import { sendIssues } from '../../src/resources/sending/mail/rules.ts';
import { withRows } from '../support/written-rows.ts';
import { root } from './snippets.ts';

const GUIDE = `${root}docs/sending.md`;

/** What the table says of a field, with the largest value that is taken and the smallest that is not. */
interface Row {
  readonly type: string;
  readonly limit: string;
  readonly largest?: unknown;
  readonly tooLarge?: unknown;
}

const people = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ email: `reader${id}@example.org` }));
const recipients: Row = {
  type: 'an address, or a list of them',
  limit: '1000 addresses; at least one in `to`, `cc` or `bcc`',
  largest: people(1000),
  tooLarge: people(1001),
};

/** The compiler refuses a field too few or too many. */
const FIELDS: Readonly<Record<KeysOfUnion<SendParams>, Row>> = {
  from: { type: 'an address', limit: 'required, here or in `defaults`; of a verified domain' },
  to: recipients,
  cc: recipients,
  bcc: recipients,
  reply_to: { type: 'an address', limit: 'one; for several, the header `Reply-To`' },
  subject: {
    type: 'text',
    limit: 'required without a template; no line break',
    largest: 'Your order',
    tooLarge: 'Your\norder',
  },
  text: { type: 'text', limit: '`text` or `html` is required without a template; not empty', tooLarge: '' },
  html: { type: 'text', limit: 'as `text`', tooLarge: '' },
  attachments: { type: 'a list of attachments', limit: 'the size of an email, which the service judges' },
  headers: {
    type: 'text by name',
    limit: 'none that other fields set or the service reserves, except `Reply-To`; no line break',
    largest: { 'X-Order': '7' },
    tooLarge: { Subject: 'Hello' },
  },
  category: {
    type: 'text',
    limit: '255 characters; not beside a template',
    largest: 'a'.repeat(255),
    tooLarge: 'a'.repeat(256),
  },
  custom_variables: {
    type: 'text, numbers and booleans by name',
    limit: '1000 bytes as JSON',
    largest: { a: 'b'.repeat(1000 - '{"a":""}'.length) },
    tooLarge: { a: 'b'.repeat(1001 - '{"a":""}'.length) },
  },
  template_uuid: {
    type: 'UUID',
    limit: 'instead of `subject`, `text` and `html`',
    largest: '0f0bd3b6-1cd4-4b0b-9f11-6a9b6bbd3e41',
    tooLarge: '7',
  },
  template_variables: { type: 'values by name', limit: 'only with `template_uuid`' },
};

const ATTACHMENT: Readonly<Record<keyof EmailPlatform.Attachment, Row>> = {
  content: {
    type: 'base64 text, bytes, a `Blob` or a web stream',
    limit: 'required',
    largest: new Uint8Array(3),
    tooLarge: 7,
  },
  filename: { type: 'text', limit: 'required; no line break', largest: 'a.txt', tooLarge: 'a\nb' },
  type: { type: 'media type', limit: 'no line break', largest: 'text/plain', tooLarge: 'text\n' },
  disposition: {
    type: "`'attachment'` or `'inline'`",
    limit: "`'attachment'` by default",
    largest: 'inline',
    tooLarge: 'embedded',
  },
  content_id: { type: 'text', limit: 'for `inline`; no line break', largest: 'logo', tooLarge: 'a\nb' },
};

/** The field of nodemailer that becomes this one, as its table says. */
const inNodemailer = (table: Readonly<Record<string, Field>>, name: string) =>
  Object.entries(table)
    .filter(
      ([, { treatment, text }]) => treatment === 'mapped' && text.split(/[;,:]/)[0]?.includes(`\`${name}\``),
    )
    .map(([field]) => `\`${field}\``)
    .join(', ');

const rowsOf = (rows: Readonly<Record<string, Row>>, nodemailer: Readonly<Record<string, Field>>) => [
  '| field | type | limit | in nodemailer |',
  '| --- | --- | --- | --- |',
  ...Object.entries(rows).map(
    ([name, { type, limit }]) =>
      `| \`${name}\` | ${type} | ${limit} | ${name === 'headers' ? '`headers`' : inNodemailer(nodemailer, name)} |`,
  ),
];

const mail = { from: 'a@example.org', to: 'ann@example.org', subject: 'Hello', text: 'Hello' };
const attachment = { content: 'SGVsbG8=', filename: 'a.txt' };
const problemsOf = (path: string, params: object) =>
  sendIssues(params).filter((issue) => issue.path.startsWith(path));
const withAttachment = (changes: object) => ({ ...mail, attachments: [{ ...attachment, ...changes }] });

test.each(Object.entries(FIELDS))('the limit of %s is that of the rules', (name, row) => {
  if ('largest' in row) expect(problemsOf(name, { ...mail, [name]: row.largest })).toEqual([]);
  if ('tooLarge' in row) expect(problemsOf(name, { ...mail, [name]: row.tooLarge })).not.toEqual([]);
  expect(problemsOf(name, { ...mail, [name]: 0 })).not.toEqual([]);
});

test.each(Object.entries(ATTACHMENT))('the limit of an attachment: %s', (name, row) => {
  expect(problemsOf('attachments', withAttachment({ [name]: row.largest }))).toEqual([]);
  expect(problemsOf(`attachments[0].${name}`, withAttachment({ [name]: row.tooLarge }))).not.toEqual([]);
});

test('docs/sending.md has the tables of the fields', async () => {
  const guide = readFileSync(GUIDE, 'utf8');
  const withFields = await withRows(guide, 'fields', rowsOf(FIELDS, MESSAGE_FIELDS));
  await expect(
    await withRows(withFields, 'attachments', rowsOf(ATTACHMENT, PART_FIELDS)),
  ).toMatchFileSnapshot(GUIDE);
});
