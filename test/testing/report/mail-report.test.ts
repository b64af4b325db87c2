import { readFile } from 'node:fs/promises';
import { EmailPlatform } from 'email-platform';
import { createEmulator, mailReport } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { dataIn, newFile } from './report-data.ts';

const mail = {
  from: 'The Gardeners <hello@mail.example.com>',
  to: 'Ann <ann@example.org>',
  subject: 'Your order 17',
  text: 'Hello undefined,',
  html: '<p>Hello undefined,</p><a href="https://shop.example/?to=ann%40example.org">Go</a>',
  attachments: [{ filename: 'a.txt', content: btoa('For ann@example.org'), type: 'text/plain' }],
};

function setUp() {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const inbox = emulator.clientOptions().sandboxInboxId;
  return { emulator, client, inbox };
}

test('the mails of a test inbox make the same file, with the analysis of the service', async () => {
  const { client, inbox } = setUp();
  await client.sending.send(mail, { stream: 'sandbox' });
  await client.sending.send(
    { ...mail, to: 'ben@example.org', subject: 'Your order 18' },
    { stream: 'sandbox' },
  );
  const file = await newFile();
  const report = await mailReport(client, { inbox, file });
  expect(report).toMatchObject({ file, kinds: 1, sent: 2, requests: 0, refused: 0 });
  expect(report.findings).toMatchObject([{ check: 'undefined', level: 'error', kind: 'Your order …' }]);
  const data = await dataIn(file);
  expect(data.source).toBe('inbox');
  const [newest, first] = data.mails;
  expect([newest?.subject, first?.subject]).toEqual(['Your order 18', 'Your order 17']);
  const spam = await client.sandbox.messages.spamReport(inbox, Number(first?.id));
  const html = await client.sandbox.messages.htmlAnalysis(inbox, Number(first?.id));
  expect(first).toMatchObject({ spamScore: spam.Score, htmlErrors: html.errors?.length ?? null });
  const text = await readFile(file, 'utf8');
  expect(text).toContain('a***@example.org');
  expect(text).not.toContain('ann@example.org');
  expect(text).not.toContain(btoa('For ann@example.org'));
});

test('only the newest are read, and only those since a time; the others are counted', async () => {
  const { emulator, client, inbox } = setUp();
  emulator.clock.pause();
  await client.sending.send({ ...mail, subject: 'Old' }, { stream: 'sandbox' });
  emulator.clock.advance(60_000);
  for (const subject of ['First', 'Second'])
    await client.sending.send({ ...mail, subject }, { stream: 'sandbox' });
  const file = await newFile();
  await mailReport(client, { inbox, file, after: emulator.clock.now(), most: 1, analysis: false });
  const data = await dataIn(file);
  expect(data.mails.map(({ subject }) => subject)).toEqual(['Second']);
  expect(data).toMatchObject({ sent: 2, omitted: { mails: 1 } });
  expect(data.mails[0]).toMatchObject({ spamScore: null, htmlErrors: null });
});

test('wrong arguments are refused, and a missing inbox is named', async () => {
  const { client } = setUp();
  const call = mailReport as (...given: readonly unknown[]) => Promise<unknown>;
  await expect(call(client, { inbox: 1 })).rejects.toThrow(/file/);
  await expect(call(client, { inbox: 1, fil: 'a' })).rejects.toThrow(/did you mean `file`/);
  await expect(call({}, { inbox: 1, file: 'a.html' })).rejects.toThrow(/`client` must be a client/);
  const without = { sandbox: client.sandbox };
  await expect(call(without, { file: 'a.html' })).rejects.toThrow(/`options\.inbox` is missing/);
});
