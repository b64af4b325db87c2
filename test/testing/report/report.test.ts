import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { type Emulator, connectEmulator, createEmulator, ReportError } from 'email-platform/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dataIn, newFile } from './report-data.ts';

const FROM = 'The Gardeners <hello@mail.example.com>';
const mail = { from: FROM, to: 'ann@example.org', subject: 'Your order 17', text: 'It is on its way.' };

function setUp(options: Emulator.Options = {}) {
  const emulator = createEmulator(options);
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false, sendCallId: true });
  const reported = async (more = {}) => {
    const file = await newFile();
    const report = await emulator.report(file, { addresses: 'shown', ...more });
    return { file, report, data: await dataIn(file) };
  };
  const { token, hosts } = emulator.clientOptions();
  const post = (url: string, body: unknown) =>
    emulator.fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const ask = (path: string) =>
    emulator.fetch(hosts.api + path, { headers: { authorization: `Bearer ${token}` } });
  return { emulator, client, reported, post, ask, hosts };
}

test('the same email after a reset is not a duplicate; without one, it is', async () => {
  const { emulator, client, reported } = setUp();
  const duplicates = async () => (await reported()).report.findings.map(({ check }) => check);
  await client.sending.send(mail);
  emulator.reset();
  await client.sending.send(mail);
  expect(await duplicates()).toEqual([]);
  await client.sending.send(mail);
  expect(await duplicates()).toEqual(['duplicates']);
});

test('a report has what was mailed and asked since the emulator was made, through resets', async () => {
  const { emulator, client, reported } = setUp();
  await client.sending.send(mail);
  emulator.clock.advance(2000);
  emulator.reset();
  await client.sending.send({ ...mail, to: 'ben@example.org', subject: 'Your order 18' });
  const { report, data, file } = await reported();
  expect(report).toEqual({ file, kinds: 1, sent: 2, requests: 2, refused: 0, findings: [] });
  expect(data.kinds).toEqual([{ id: 'subject:Your order …', name: 'Your order …', by: 'subject', count: 2 }]);
  expect(data.mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['ben@example.org', 'Your order 18'],
    ['ann@example.org', 'Your order 17'],
  ]);
  const [newest, first] = data.mails;
  // The first was delivered before the reset; the time of the second has not come.
  expect(first?.events.map(({ type }) => type)).toEqual(['delivery']);
  expect(newest?.events).toEqual([]);
  expect(first?.source).toContain('Subject: Your order 17');
  const sentBy = data.requests.find(({ id }) => id === newest?.request);
  expect(sentBy).toMatchObject({
    method: 'POST',
    host: 'send',
    path: '/api/send',
    operation: 'sending.send',
    status: 200,
    pool: 'token',
    refused: false,
    details: null,
    mails: [newest?.id],
  });
  expect(sentBy?.callId).toMatch(/^[\w.-]+$/);
  expect(sentBy?.durationMs).toBeGreaterThanOrEqual(0);
  expect(data.limits).toEqual([{ pool: 'token', requests: 150, perMs: 10_000, mostUsed: 1, refused: 0 }]);
});

test('a refused request has its headers, both bodies, and each reason beside its field', async () => {
  const { post, hosts, reported } = setUp();
  await post(`${hosts.api}/api/templates`, { template: { name: '' } });
  await post(`${hosts.send}/api/send`, { from: 5, subject: 'Hi' });
  const { data, report } = await reported();
  expect(report.refused).toBe(2);
  const [send, create] = data.requests;
  expect(create).toMatchObject({ operation: 'templates.paginated.create', refused: true });
  expect(create?.reasons.map(({ field }) => field)).toContain('name');
  expect(create?.details?.body).toContain('"name"');
  expect(create?.details?.url).toBe('https://emulator.test/account/api/templates');
  expect(send?.reasons.length).toBeGreaterThan(0);
  expect(send?.details?.responseBody).toContain('errors');
  expect([send?.email, create?.email]).toEqual([undefined, undefined]);
  const headers = new Map(send?.details?.headers);
  expect(headers.get('authorization')).toBe('[redacted]');
  expect(JSON.stringify(data)).not.toContain(createEmulator().clientOptions().token);
});

test('a refused request has the recipients and the subject of its email, masked as everywhere', async () => {
  const { post, hosts, reported } = setUp();
  const to = [{ email: 'ann@example.org' }, { email: 'bo@example' }];
  await post(`${hosts.send}/api/send`, { from: { email: 'x' }, to, subject: 'For ann@example.org' });
  const emailOf = async (options: object) => (await reported(options)).data.requests[0]?.email;
  expect(await emailOf({})).toEqual({
    to: ['ann@example.org', 'bo@example'],
    subject: 'For ann@example.org',
  });
  expect(await emailOf({ addresses: 'masked' })).toEqual({
    to: ['a***@example.org', 'b***@example'],
    subject: 'For a***@example.org',
  });
});

test('a body is kept up to 64 KiB, and says that it was cut', async () => {
  const { post, hosts, reported } = setUp();
  await post(`${hosts.send}/api/send`, { from: 5, text: 'x'.repeat(100_000) });
  const { data } = await reported();
  expect(data.requests[0]?.details).toMatchObject({ bodyCut: true });
  expect(data.requests[0]?.details?.body?.length).toBe(64 * 1024);
});

test('`details` keeps the bodies of all requests', async () => {
  const { client, reported } = setUp({ details: true });
  await client.sending.send(mail);
  const { data } = await reported();
  expect(data.requests[0]?.details?.body).toContain('It is on its way.');
  expect(data.requests[0]?.details?.responseBody).toContain('message_ids');
});

test('a report counts the refusals of a limit and the most that a window had', async () => {
  const { ask, reported, emulator } = setUp({
    limits: { token: { requests: 3, perMs: 60_000 } },
    window: 'fixed',
  });
  for (let count = 0; count < 5; count += 1) await ask('/api/templates');
  emulator.reset();
  await ask('/api/templates');
  const { data } = await reported();
  expect(data.limits.find(({ pool }) => pool === 'token')).toEqual({
    pool: 'token',
    requests: 3,
    perMs: 60_000,
    mostUsed: 3,
    refused: 2,
  });
  expect(data.requests.map(({ status, pool }) => [status, pool])[1]).toEqual([429, 'token']);
});

/** A webhook for deliveries. */
const DELIVERIES = {
  url: 'https://hooks.example.com/',
  webhook_type: 'email_sending',
  sending_stream: 'transactional',
  event_types: ['delivery'],
} as const;

test('webhook posts stay through a reset, with the answer and its time', async () => {
  const { emulator, client, reported } = setUp({
    webhooks: { receive: () => new Response(null, { status: 200 }) },
  });
  await client.webhooks.create(DELIVERIES);
  await client.sending.send(mail);
  emulator.clock.advance(2000);
  await emulator.webhooks.flush();
  emulator.reset();
  const { data } = await reported();
  expect(data.posts).toMatchObject([
    { type: 'delivery', url: 'https://hooks.example.com/', attempt: 1, status: 200 },
  ]);
  expect(data.posts[0]?.durationMs).toBeGreaterThanOrEqual(0);
});

test('a failed webhook post has the time of its next attempt, until none follows', async () => {
  const { emulator, client, reported } = setUp({
    webhooks: { receive: () => new Response(null, { status: 500 }), retryMs: 60_000, maxRetries: 1 },
  });
  const made = async () => {
    const { posts } = (await reported()).data;
    return posts.map(({ attempt, clockAt, nextAt }) => [attempt, nextAt && nextAt - clockAt]);
  };
  await client.webhooks.create(DELIVERIES);
  await client.sending.send(mail);
  emulator.clock.advance(2_000);
  await emulator.webhooks.flush();
  expect(await made()).toEqual([[1, 60_000]]);
  emulator.clock.advance(60_000);
  await emulator.webhooks.flush();
  const last = [2, null];
  expect(await made()).toEqual([last, [1, 60_000]]);
  // A reset drops the planned attempts.
  emulator.reset();
  expect(await made()).toEqual([last, [1, null]]);
});

test('with `failOn` the file is written, the lines are printed, and the promise rejects with them', async () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => print.mockRestore());
  const { emulator, client } = setUp();
  await client.sending.send({ ...mail, subject: 'Welcome', text: 'Hello undefined,\n\nwelcome.' });
  const file = await newFile();
  const error = await emulator.report(file, { failOn: 'error' }).catch((reason: unknown) => reason);
  const lines = `${file}: 1 kind of email, 1 sent, 1 request, 0 refused\n error  Welcome  "Hello undefined," in the text`;
  expect(error).toBeInstanceOf(ReportError);
  expect(error).toMatchObject({ message: lines, report: { sent: 1, findings: [{ check: 'undefined' }] } });
  expect(print.mock.calls).toEqual([[lines]]);
  expect((await dataIn(file)).findings).toHaveLength(1);
  await expect(
    emulator.report(file, { failOn: 'error', checks: { undefined: false } }),
  ).resolves.toMatchObject({ findings: [] });
  expect(await readdir(dirname(file))).toEqual(['mails.html']);
});

test.each([
  [['mails.html', { failOn: 'warning' }], RangeError, /failOn/],
  [['mails.html', { failon: 'warn' }], TypeError, /did you mean `failOn`/],
  [['mails.html', { site: 'localhost' }], RangeError, /site/],
  [['mails.html', { checks: { altt: false } }], TypeError, /did you mean `alt`/],
  [['mails.html', { checks: { alt: true } }], TypeError, /checks\.alt/],
  [[''], RangeError, /file/],
  [[7], TypeError, /file/],
] as const)('wrong arguments are refused: %j', async (values, type, message) => {
  const { emulator } = setUp();
  const report = emulator.report.bind(emulator) as (...input: readonly unknown[]) => Promise<unknown>;
  const error = await report(...values).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(type);
  expect((error as Error).message).toMatch(message);
});

test('a file that cannot be written is named', async () => {
  const { emulator } = setUp();
  const file = await newFile();
  await emulator.report(file);
  await expect(emulator.report(`${file}/mails.html`)).rejects.toThrow(/cannot be written to .*mails\.html/);
});

test('an emulator in another process writes the same report where the test runs', async () => {
  const { emulator, client } = setUp();
  const server = await emulator.listen({ control: true });
  onTestFinished(() => server.close());
  const controlToken = server.control?.token ?? '';
  const connected = connectEmulator(server.url, { controlToken });
  await client.sending.send({
    ...mail,
    html: '<a href="http://localhost:3000/x">x</a><img src="https://a.example/b.png">',
  });
  const [there, here] = [await newFile(), await newFile()];
  const options = { site: 'http://localhost:3000', checks: { alt: false } } as const;
  const report = await connected.report(there, options);
  const own = await emulator.report(here, options);
  expect({ ...report, file: '' }).toEqual({ ...own, file: '' });
  const [data, expected] = [await dataIn(there), await dataIn(here)];
  const timeless = { writtenAt: 0, run: {} };
  expect({ ...data, ...timeless }).toEqual({ ...expected, ...timeless });
  expect(data.notes).toEqual(['1 link leads to http://localhost:3000, the site of these tests']);
  expect(data.requests[0]?.details?.body).toContain('localhost:3000');
  await expect(connected.report(there, { checks: { altt: false } } as never)).rejects.toThrow(/did you mean/);
});
