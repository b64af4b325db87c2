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

test('the messages of a test inbox make the same file, with the analysis of the service', async () => {
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

test('a masked source of a raw message has no part that the parser calls an attachment, declared or not', async () => {
  const raw = [
    'From: hello@mail.example.com',
    'To: ann@example.org',
    'Subject: Your list',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Hello ann@example.org',
    '--b',
    'Content-Type: application/json',
    '',
    '{"undeclared":"secret-of-an-attachment"}',
    '--b',
    'Content-Type: application/octet-stream; name="list.bin"',
    'Content-Transfer-Encoding: base64',
    '',
    btoa('secret-of-an-attachment'),
    '--b--',
    '',
  ].join('\r\n');
  const message = {
    id: 1,
    subject: 'Your list',
    to_email: 'ann@example.org',
    created_at: '2026-01-01T00:00:00Z',
  };
  const data = { items: [message], nextPage: () => Promise.resolve(undefined) };
  const { client: real } = setUp();
  const messages = Object.assign(Object.create(real.sandbox.messages) as typeof real.sandbox.messages, {
    list: () => ({ withResponse: () => Promise.resolve({ data }) }),
    eml: () => Promise.resolve(new TextEncoder().encode(raw)),
  });
  const sources = [];
  for (const addresses of ['shown', 'masked'] as const) {
    const file = await newFile();
    await mailReport({ sandbox: { messages } }, { inbox: 1, file, analysis: false, addresses });
    const { mails } = await dataIn(file);
    expect(mails[0]?.attachments).toHaveLength(2);
    sources.push(mails[0]?.source ?? '');
    const text = await readFile(file, 'utf8');
    expect(text.includes('secret-of-an-attachment')).toBe(addresses === 'shown');
    expect(text.includes(btoa('secret-of-an-attachment'))).toBe(addresses === 'shown');
  }
  expect(sources[0]).toContain('secret-of-an-attachment');
  expect(sources[1]).toContain('subject: Your list');
});

const levels = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  );

test.each([
  ['300 levels of parts', `Subject: Hi\r\n${levels(300).join('')}`],
  ['3 MB of headers', `Subject: Hi\r\n${'x-a: b\r\n'.repeat(400_000)}\r\nHello`],
])('a message with %s is a finding, and the report has all others', async (_, raw) => {
  const { client: real, inbox } = setUp();
  for (const subject of ['From a stranger', 'Welcome'])
    await real.sending.send({ ...mail, subject }, { stream: 'sandbox' });
  const { messages } = real.sandbox;
  const eml = messages.eml.bind(messages);
  Object.assign(messages, {
    eml: async (from: number, id: number) => {
      const whole = await eml(from, id);
      const isStranger = new TextDecoder().decode(whole).includes('From a stranger');
      return isStranger ? new TextEncoder().encode(raw) : whole;
    },
  });
  const file = await newFile();
  const options = { inbox, file, addresses: 'shown' } as const;
  const { findings, sent } = await mailReport({ sandbox: { messages } }, options);
  expect(sent).toBe(2);
  const { mails } = await dataIn(file);
  const stranger = mails.find(({ subject }) => subject === 'From a stranger');
  expect(stranger).toMatchObject({ from: 'hello@mail.example.com', to: 'ann@example.org', html: null });
  expect(mails.find(({ subject }) => subject === 'Welcome')).toMatchObject({ text: 'Hello undefined,' });
  expect(findings.filter(({ ids }) => ids.includes(stranger?.id ?? ''))).toEqual([
    expect.objectContaining({
      level: 'error',
      check: 'unreadable',
      message: expect.stringMatching(/^cannot be read: ./) as string,
    }),
  ]);
  const failing = mailReport({ sandbox: { messages } }, { ...options, failOn: 'error' });
  await expect(failing).rejects.toThrow('cannot be read');
});
