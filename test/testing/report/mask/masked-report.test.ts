/** What a reader finds in the file of a report with masked addresses, and with secrets: the bytes, decoded. */
import { readFile, stat } from 'node:fs/promises';
import { EmailPlatform, type SendParams } from 'email-platform';
import {
  connectEmulator,
  createEmulator,
  mailbox,
  type ConnectedEmulator,
  type Emulator,
  type ReportError,
} from 'email-platform/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ReportData } from '../../../../src/testing/report/data/data.ts';
import { dataIn, newFile } from '../report-data.ts';

const ADDRESS = 'ann@example.org';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const mail: SendParams = {
  from: { email: 'shop@mail.example.com' },
  to: [{ email: ADDRESS }],
  subject: 'Hello',
  text: 'Hello',
};

/** Everything that a text says in base64, from each of the places at which it may begin. */
const packedIn = (text: string) =>
  (text.replaceAll('\\r\\n', '').match(/[\w+/-]{8,}/g) ?? [])
    .flatMap((one) => [0, 1, 2, 3].map((skip) => Buffer.from(one.slice(skip), 'base64').toString('latin1')))
    .join('\n');

const decoded = (text: string) => `${text}\n${packedIn(text)}`.replace(/%(?:25)*40/gi, '@').toLowerCase();

/** Sends an email, and reads the file of the report. */
async function reportOf(
  changes: Partial<SendParams>,
): Promise<{ text: string; source: string; data: ReportData }> {
  const emulator = createEmulator({ details: true });
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
  await client.sending.send({ ...mail, ...changes } as SendParams);
  const file = await newFile();
  await emulator.report(file, { addresses: 'masked' });
  const data = await dataIn(file);
  return { text: await readFile(file, 'utf8'), source: data.mails[0]?.source ?? '', data };
}

describe('No address of a person is in the file', () => {
  const token = base64(`{"u":"${ADDRESS}"}`);
  const percent = base64('u=ann%40example.org&x=1');
  test.each([
    ['base64 behind a path', { html: `<a href="https://shop.example/t/${token}">Go</a>` }],
    ['base64 behind one letter', { html: `<a href="https://shop.example/a${token}">Go</a>` }],
    ['base64 behind two letters', { html: `<a href="https://shop.example/ab${token}">Go</a>` }],
    ['base64 behind three letters', { html: `<a href="https://shop.example/abc${token}">Go</a>` }],
    ['percent within base64', { html: `<a href="https://shop.example/?t=${percent}">Go</a>` }],
    ['percent in a link', { html: '<a href="https://shop.example/?u=ann%40example.org">Go</a>' }],
    ['a variable', { custom_variables: { who: ADDRESS } }],
    ['a header', { headers: { 'X-For': `Ann <${ADDRESS}>` } }],
    ['upper case', { text: 'ANN@EXAMPLE.ORG' }],
  ] as const)('%s', async (_, changes) => {
    const { text } = await reportOf(changes);
    expect(decoded(text).includes(ADDRESS)).toBe(false);
    expect(text).toMatch(/a\*{3}@example\.org/);
  });

  test('of a person that only a post to a webhook names', async () => {
    const emulator = createEmulator({
      details: true,
      webhooks: { receive: () => new Response(null, { status: 204 }) },
    });
    const client = new EmailPlatform(emulator.clientOptions());
    await client.webhooks.create({
      url: 'https://receiver.example.com/',
      webhook_type: 'audit_log',
      event_types: [],
    } as never);
    await client.sending.send(mail);
    emulator.webhooks.emit('audit_log', { action: 'login', email: 'zoe@example.net' });
    await emulator.webhooks.flush();
    const file = await newFile();
    await emulator.report(file, { addresses: 'masked' });
    const text = await readFile(file, 'utf8');
    expect(text.includes('z***@example.net')).toBe(true);
    expect(decoded(text).includes('zoe@example.net')).toBe(false);
  });
});

test.each(['text/plain', 'text/csv', 'application/pdf'])(
  'the source of a mail has no content of an attachment of type %s',
  async (type) => {
    const secret = 'The account number is 4711-0815-2342.';
    const { source } = await reportOf({
      attachments: [{ filename: 'a.bin', type, content: base64(secret), disposition: 'attachment' }],
    });
    expect(source).toContain('Hello');
    expect(`${source}\n${packedIn(source)}`).not.toContain('4711-0815-2342');
  },
);

test.each(['authorization', 'api-token', 'proxy-authorization', 'cookie'])(
  'the value of the header %s is not in the file, whether addresses are masked or shown',
  async (name) => {
    const emulator = createEmulator({ details: true });
    const { token, hosts } = emulator.clientOptions();
    await emulator.fetch(`${hosts.send}/api/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, [name]: 'Basic c2VjcmV0LXdvcmQ=' },
      body: '{}',
    });
    for (const addresses of ['masked', 'shown'] as const) {
      const file = await newFile();
      await emulator.report(file, { addresses });
      const text = await readFile(file, 'utf8');
      expect(text.includes(name)).toBe(true);
      expect(text.includes('c2VjcmV0LXdvcmQ')).toBe(false);
    }
  },
);

test.each([
  ['a path of a request', '/api/accounts/1/contacts/zoe%40example.net', undefined],
  ['a query', '/api/accounts/1/contacts?for=zoe%40example.net', undefined],
  ['a body', '/api/accounts/1/contacts', '{"contact":{"email":"zoe@example.net"}}'],
])('a person that only %s names is masked', async (_, path, body) => {
  const emulator = createEmulator({ details: true });
  const { token, hosts } = emulator.clientOptions();
  await emulator.fetch(`${hosts.api}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });
  const file = await newFile();
  await emulator.report(file, { addresses: 'masked' });
  const text = await readFile(file, 'utf8');
  expect(JSON.stringify(await dataIn(file))).toMatch(/\*\*\*(?:@|%40)example\.net/);
  expect(decoded(text).includes('zoe@example.net')).toBe(false);
});

test('a person that only a response names is masked', async () => {
  const filled = createEmulator();
  const { data } = await new EmailPlatform(filled.clientOptions()).contacts
    .create({ email: 'zoe@example.net' })
    .withResponse();
  const emulator = createEmulator({ details: true });
  emulator.restore(filled.snapshot());
  await new EmailPlatform(emulator.clientOptions()).contacts.get(data.id);
  const file = await newFile();
  await emulator.report(file, { addresses: 'masked' });
  const text = await readFile(file, 'utf8');
  expect(text.includes('z***@example.net')).toBe(true);
  expect(decoded(text).includes('zoe@example.net')).toBe(false);
});

test('pictures of an email stay in a masked file, and other files do not', async () => {
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const picture = (content_id: string, content: Uint8Array, type = 'image/png') => ({
    filename: `${content_id}.png`,
    type,
    content,
    content_id,
    disposition: 'inline' as const,
  });
  const { data } = await reportOf({
    html: '<img src="cid:a"><img src="cid:b"><img src="cid:c">',
    attachments: [
      picture('a', png),
      picture('b', Uint8Array.of(...png, ...new TextEncoder().encode(`Dear ${ADDRESS}`))),
      picture('c', new TextEncoder().encode('no picture')),
      { filename: 'a.pdf', type: 'application/pdf', content: base64('%PDF') },
    ],
  });
  const [sent] = data.mails;
  const shown = Buffer.from(png).toString('base64');
  expect(sent?.attachments.map(({ content }) => content)).toEqual([shown, shown, null, null]);
  expect(sent?.html).toBe('<img src="cid:file-1"><img src="cid:file-2"><img src="cid:file-3">');
});

describe('Without the option', () => {
  const shownTo = async (emulator: Reporting, options: object = {}) => {
    const file = await newFile();
    await emulator.report(file, options);
    const data = await dataIn(file);
    return data.mails.map(({ to }) => to).sort();
  };
  type Reporting = Pick<Emulator, 'report'> | Pick<ConnectedEmulator, 'report'>;
  const sendTo = async (emulator: Emulator, ...to: readonly string[]) => {
    const client = new EmailPlatform(emulator.clientOptions());
    for (const email of to) await client.sending.send({ ...mail, to: email });
  };

  test('an email to a reserved domain is shown whole, and another one masked', async () => {
    const emulator = createEmulator();
    await sendTo(emulator, ADDRESS, 'bob@gmail.com');
    expect(await shownTo(emulator)).toEqual([ADDRESS, 'b***@gmail.com']);
    expect(await shownTo(emulator, { addresses: 'shown' })).toEqual([ADDRESS, 'bob@gmail.com']);
    expect(await shownTo(emulator, { addresses: 'masked' })).toEqual(['a***@example.org', 'b***@gmail.com']);
  });

  test('an email with a hidden recipient elsewhere is masked in each copy', async () => {
    const emulator = createEmulator();
    const client = new EmailPlatform(emulator.clientOptions());
    await client.sending.send({ ...mail, bcc: ['bob@gmail.com'] });
    expect(await shownTo(emulator)).toEqual(['a***@example.org', 'b***@gmail.com']);
  });

  test('the domain of a mailbox is shown, in this process and in another one', async () => {
    const emulator = createEmulator();
    mailbox(emulator, { domain: 'Mail.gmail.com' });
    await sendTo(emulator, 'ann@mail.gmail.com', 'bob@gmail.com', 'cho@gmx.de');
    expect(await shownTo(emulator)).toEqual(['ann@mail.gmail.com', 'b***@gmail.com', 'c***@gmx.de']);
    const server = await emulator.listen({ port: 0, control: true });
    onTestFinished(() => server.close());
    const { url, token: controlToken } = server.control ?? { url: '', token: '' };
    const connected = connectEmulator(url, { controlToken });
    await mailbox(connected, { domain: 'gmx.de' }).waitFor({ to: 'cho@gmx.de' });
    for (const one of [connected, emulator])
      expect(await shownTo(one)).toEqual(['ann@mail.gmail.com', 'b***@gmail.com', 'cho@gmx.de']);
    const file = await newFile();
    await connected.report(file, { title: 'For bob@gmail.com' });
    expect((await dataIn(file)).run?.title).toBe('For b***@gmail.com');
  });

  test('a field on `Object.prototype` unmasks nothing', async () => {
    const emulator = createEmulator();
    await sendTo(emulator, 'bob@gmail.com');
    Object.defineProperty(Object.prototype, 'addresses', {
      value: 'shown',
      configurable: true,
      writable: true,
    });
    try {
      expect(await shownTo(emulator)).toEqual(['b***@gmail.com']);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'addresses');
    }
  });
});

test('the summary and the title are masked as the file is', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  await client.sending.send({
    ...mail,
    to: 'bob@gmail.com',
    text: 'Hello undefined, see bob@gmail.com',
  });
  const file = await newFile();
  emulator.mark('sends to bob@gmail.com');
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const failed = emulator.report(file, { title: 'For bob@gmail.com', failOn: 'warn' });
  const error = await failed.then(String, (one: unknown) => one as ReportError);
  const lines = printed.mock.calls.join('\n');
  printed.mockRestore();
  expect(String(error)).toContain('b***@gmail.com');
  expect(`${String(error)}${lines}${await readFile(file, 'utf8')}`).not.toContain('bob@gmail');
});

test('a report can be read by its owner only', async () => {
  const file = await newFile();
  await createEmulator().report(file);
  expect((await stat(file)).mode & 0o77).toBe(0);
});

test('a secret that begins with another secret is not in the file, not even its end', async () => {
  const emulator = createEmulator({ details: true });
  const { token, hosts } = emulator.clientOptions();
  await emulator.fetch(`${hosts.send}/api/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"password":"s3cr3t-word","api_token":"s3cr3t-word-longer","subject":"It is s3cr3t-word-longer"}',
  });
  const file = await newFile();
  await emulator.report(file, { addresses: 'shown' });
  const text = await readFile(file, 'utf8');
  expect(text).toContain('It is [redacted]');
  expect(text).not.toContain('-longer');
});

test.each([
  ['a password', '{"password":"s3cr3t-word"}', ''],
  ['a token', '{"api_token":"s3cr3t-word"}', ''],
  ['a signing secret', '{"signing_secret":"s3cr3t-word"}', ''],
  ['a signature', '{"url":"https://files.example.com/1?signature=s3cr3t-word"}', ''],
  ['a signature in the query', '{}', '?X-Amz-Signature=s3cr3t-word'],
])('%s in a request is not in the file', async (_, body, query) => {
  const emulator = createEmulator({ details: true });
  const { token, hosts } = emulator.clientOptions();
  await emulator.fetch(`${hosts.send}/api/send${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  const file = await newFile();
  await emulator.report(file, { addresses: 'shown' });
  const text = await readFile(file, 'utf8');
  expect(text).toContain('[redacted]');
  expect(text).not.toContain('s3cr3t-word');
});
