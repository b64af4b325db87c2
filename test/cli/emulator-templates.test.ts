import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { readTemplates } from 'email-platform/templates';
import { expect, test } from 'vitest';
import { folderOf, RECEIPT, templatesIn } from '../entries/templates/folders.ts';
import { cli } from './in-process.ts';
import { started } from './started.ts';

test('email-platform emulator --templates renders the templates of a folder', async () => {
  const folder = templatesIn({ receipt: RECEIPT });
  const { value } = await started('--templates', folder);
  const client = new EmailPlatform({
    token: value('TOKEN'),
    accountId: Number(value('ACCOUNT_ID')),
    hosts: { api: value('API_URL'), send: value('SEND_URL') },
  });
  const [receipt] = await readTemplates(folder);
  const { success } = await client.sending.send({
    from: 'shop@mail.example.com',
    to: 'ann@example.org',
    template_uuid: receipt?.uuid ?? '',
    template_variables: { name: 'Ann' },
  });
  expect(success).toBe(true);
});

test('email-platform emulator --templates reads a changed template again, and says so', async () => {
  const folder = templatesIn({ receipt: RECEIPT });
  const { value, printed } = await started('--templates', folder);
  const client = new EmailPlatform({ token: value('TOKEN'), hosts: { api: value('API_URL') } });
  const htmls = async () => (await client.templates.list().toArray()).map(({ body_html: html }) => html);
  await expect.poll(printed).toContain(`Read from ${folder}: receipt\n`);
  writeFileSync(join(folder, 'receipt/body.html'), '<p>{{#if name}}</p>');
  await expect.poll(printed).toContain('body.html:1:');
  expect(printed()).toContain('The emulator keeps the last good version.\n');
  expect(await htmls()).toContain(RECEIPT.html);
  writeFileSync(join(folder, 'receipt/body.html'), '<p>second {{name}}</p>');
  await expect.poll(() => printed().split(`Read from ${folder}: receipt\n`).length).toBe(3);
  expect(await htmls()).toContain('<p>second {{name}}</p>');
});

test('email-platform emulator --templates names each problem of a folder, exit 1', async () => {
  const { code, err } = await cli(['emulator', '--port', '0', '--templates', `${folderOf({})}/none`]);
  expect(code).toBe(1);
  expect(err).toContain('none: there is no such folder');
});

test('email-platform emulator --account-id plays another account', async () => {
  const { value } = await started('--account-id', '2001');
  const options = { token: value('TOKEN'), hosts: { api: value('API_URL') } };
  expect(value('ACCOUNT_ID')).toBe('2001');
  const client = new EmailPlatform(options);
  expect((await client.accounts.list().toArray()).map(({ id }) => id)).toEqual([2001]);
  for (const wrong of ['0', '1.5', '9007199254740993']) {
    const { code, err } = await cli(['emulator', '--account-id', wrong]);
    expect([code, err.split('\n')[0]]).toEqual([
      2,
      `--account-id must be a whole number, 1 or more, not "${wrong}"`,
    ]);
  }
});
