import { readFileSync } from 'node:fs';
import { createEmulator } from 'email-platform/testing';
import { EmailPlatform } from 'email-platform';
import { expect, test } from 'vitest';
import { parseTemplate } from '../../../src/handlebars/parse.ts';
import { renderTemplate } from '../../../src/handlebars/render.ts';
import { readInto, Shape } from '../../../src/handlebars/shape.ts';
import { CORPUS } from '../../entries/templates/corpus.ts';
import { fieldsOf } from '../../entries/templates/samples.ts';
import { dataIn, newFile } from './report-data.ts';

const FIXTURES = new URL('../reading/fixtures/', import.meta.url);

test('an email of a well-kept library has no error', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  await client.sending.send({
    from: 'a@mail.example.com',
    to: 'ann@example.org',
    subject: 'Newsletter',
    html: readFileSync(new URL('testEmail.html', FIXTURES), 'utf8'),
    text: readFileSync(new URL('testEmail.txt', FIXTURES), 'utf8'),
    attachments: [
      {
        filename: 'inline.png',
        content: new Uint8Array([1]),
        disposition: 'inline',
        content_id: 'ii_1435fadb31d523f6',
      },
    ],
  });
  const file = await newFile();
  await emulator.report(file);
  const { findings } = await dataIn(file);
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
});

test('the templates of other projects have no error but placeholders in the place of addresses', async () => {
  const emulator = createEmulator({ limits: false });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: false });
  for (const [name, text] of CORPUS) {
    const template = parseTemplate(text);
    const variables = new Shape();
    readInto(variables, name, template);
    // The sample of an address is `v`, as that of every variable.
    const html = renderTemplate(template, fieldsOf(variables)).replace(
      /(\b(?:href|src)=["']?|url\(["']?)v/g,
      '$1https://v.example/',
    );
    await client.sending.send({
      from: 'a@mail.example.com',
      to: 'ann@example.org',
      subject: name,
      html,
      text: name,
      category: name,
    });
  }
  const file = await newFile();
  await emulator.report(file);
  const { findings } = await dataIn(file);
  const errors = findings.filter(({ level }) => level === 'error');
  // The placeholders of another program, which are no addresses.
  expect(errors.map(({ kind, message }) => [kind, message])).toEqual([
    ['ghost/email-service/template.hbs', 'The link "%%{email}%%" has no address'],
    [
      'ghost/email-service/template.hbs',
      'The link "A text" leads to "%%{manage_account_url}%%", which is a relative URL',
    ],
  ]);
});
