import { readFileSync } from 'node:fs';
import { createEmulator } from 'email-platform/testing';
import { EmailPlatform } from 'email-platform';
import { expect, test } from 'vitest';
import { dataIn, newFile } from './report-data.ts';

const FIXTURES = new URL('../mailbox/fixtures/', import.meta.url);

test('a mail of a well-kept library has no error', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  await client.sending.send({
    from: 'a@mail.example.com',
    to: 'ann@example.org',
    subject: 'Newsletter',
    html: readFileSync(new URL('testEmail.html', FIXTURES), 'utf8'),
    text: readFileSync(new URL('testEmail.txt', FIXTURES), 'utf8'),
  });
  const file = await newFile();
  await emulator.report(file);
  const { findings } = await dataIn(file);
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
});
