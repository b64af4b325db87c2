import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { Newest } from '../../../../src/testing/common/newest.ts';
import { Recorder } from '../../../../src/testing/report/records/recorder.ts';
import type { Mail } from '../../../../src/testing/service/state/emails/mail.ts';
import type { Copy } from '../../../../src/testing/service/state/emails/outbox.ts';
import { ReaderLinks } from '../../../../src/testing/service/state/emails/reader-links.ts';
import { redacted } from '../../../../src/testing/service/wire/redacted.ts';
import { dataIn, newFile } from '../report-data.ts';

test('the newest items stay, and those that left are counted', () => {
  const left: number[] = [];
  const newest = new Newest<number>(3, (one) => left.push(one));
  for (let item = 1; item <= 10; item += 1) newest.push(item);
  expect(newest.all).toEqual([8, 9, 10]);
  expect(left).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect([newest.omitted, newest.oldest, newest.length]).toEqual([7, 8, 3]);
  newest.shift();
  expect([newest.omitted, newest.oldest, newest.length]).toEqual([8, 9, 2]);
});

test('an item is put back at its place, also before all that were kept', () => {
  const left: number[] = [];
  const newest = new Newest<number>(3, (one) => left.push(one));
  for (let item = 1; item <= 5; item += 1) newest.push(item);
  newest.remove(4, () => undefined);
  newest.insert(4, (one) => one < 4);
  expect(newest.all).toEqual([3, 4, 5]);
  newest.remove(3, () => undefined);
  newest.push(6);
  newest.insert(3, (one) => one < 3);
  expect([newest.all, left, newest.omitted]).toEqual([[4, 5, 6], [1, 2, 3], 3]);
});

test('5,000 emails are kept, and the others counted, also in their kinds', async () => {
  const emulator = createEmulator({ limits: false });
  const client = new EmailPlatform(emulator.clientOptions());
  for (let batch = 0; batch < 11; batch += 1)
    await client.sending.batch({
      base: { from: 'a@mail.example.com', subject: `Order ${batch}`, text: 'Hello.' },
      requests: Array.from({ length: 500 }, (_, index) => ({ to: `r${batch}-${index}@example.org` })),
    });
  const file = await newFile();
  const report = await emulator.report(file, { addresses: 'shown' });
  expect(report).toMatchObject({ sent: 5_500, requests: 11 });
  const data = await dataIn(file);
  expect(data.omitted).toEqual({ mails: 500, requests: 0 });
  expect(data.kinds).toMatchObject([{ name: 'Order …', count: 5_500 }]);
  expect(data.mails).toHaveLength(5_000);
  expect(data.mails.at(-1)?.to).toBe('r1-0@example.org');
  expect(data.requests.at(-1)?.mails).toEqual([]);
});

const LARGE = 'x'.repeat(4 * 2 ** 20);
const file = { filename: 'a.txt', type: 'text/plain', disposition: 'attachment', contentId: null } as const;

test.each<[part: string, large: Partial<Mail>]>([
  ['text', { text: LARGE }],
  ['HTML', { html: LARGE }],
  ['subject', { subject: LARGE }],
  ['headers', { headers: { 'X-Large': LARGE } }],
  ['attachments', { attachments: [LARGE, LARGE].map((content) => ({ ...file, content })) }],
])('64 MB are kept: emails with a large %s push out the oldest', (_, large) => {
  const recorder = new Recorder();
  const links = new ReaderLinks('secret', () => 'https://emulator.test');
  const recipient = { email: 'ann@example.org', name: null };
  for (let number = 1; number <= 9; number += 1) {
    const plain = { subject: `Large ${number}`, html: null, text: null, headers: {}, attachments: [] };
    const mail = { ...plain, template: null, category: 'large', ...large } as unknown as Mail;
    recorder.mail({ mail, recipient } as unknown as Copy, number, undefined, links);
  }
  // Eight of eight megabytes have no room for what belongs to an email besides.
  expect(recorder.mails.all.map(({ number }) => number)).toEqual([3, 4, 5, 6, 7, 8, 9]);
  expect(recorder.left).toMatchObject([{ name: 'large', count: 2 }]);
});

test('the report of an email over a megabyte is without its source', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const mail = { from: 'a@mail.example.com', to: 'ann@example.org', text: 'Hello.' };
  for (const [subject, bytes] of [
    ['Large', 2 ** 20],
    ['Small', 2 ** 19],
  ] as const) {
    const attachments = [{ filename: 'a.txt', content: 'QUJD'.repeat(bytes / 3) }];
    await client.sending.send({ ...mail, subject, attachments });
  }
  const report = await newFile();
  await emulator.report(report, { addresses: 'shown' });
  const { mails } = await dataIn(report);
  expect(mails.map(({ subject, source }) => [subject, source === null])).toEqual([
    ['Small', false],
    ['Large', true],
  ]);
});

test.each([
  ['{"token":"abc\\"d","name":"x"}', '{"token":"[redacted]","name":"x"}'],
  ['{"signing_secret": "abc"}', '{"signing_secret": "[redacted]"}'],
  ['{"smtp_password":"abc', '{"smtp_password":"[redacted]"'],
  ['{"next_page_token":"abc"}', '{"next_page_token":"abc"}'],
  ['{"clientSecret":"abc","passphrase":"def"}', '{"clientSecret":"[redacted]","passphrase":"[redacted]"}'],
  ['{"api-key":17,"x":2}', '{"api-key":"[redacted]","x":2}'],
  ['{"credentials":{"a":["}"],"b":"c\\"}"},"x":1}', '{"credentials":"[redacted]","x":1}'],
  ['{"tokens":["a","b"],"x":1}', '{"tokens":"[redacted]","x":1}'],
  ['{"hasToken":true,"token":null}', '{"hasToken":true,"token":null}'],
  ['{"\\u0074oken":"abc"}', '{"\\u0074oken":"[redacted]"}'],
  [
    '{"body":"{\\"password\\":\\"a\\\\\\"b\\",\\"x\\":1}"}',
    '{"body":"{\\"password\\":\\"[redacted]\\",\\"x\\":1}"}',
  ],
  ['name=x&pass%77ord=abc&page_token=2', 'name=x&pass%77ord=[redacted]&page_token=2'],
  ['{"url":"https://user:abc@a.example/x"}', '{"url":"https://[redacted]@a.example/x"}'],
  ['{"url":"https://a.example/x?api_key=abc&y=1"}', '{"url":"https://a.example/x?api_key=[redacted]&y=1"}'],
  // A link in an email stays: the page is made to show it.
  [
    '{"html":"<a href=https://a.example/reset?token=abc>"}',
    '{"html":"<a href=https://a.example/reset?token=abc>"}',
  ],
  [
    '{"url":"https://a.example/x?expires=1&signature=abc"}',
    '{"url":"https://a.example/x?expires=1&signature=[redacted]"}',
  ],
] as const)('%s has no secret in a report', (text, expected) => {
  expect(redacted(text)).toBe(expected);
});

test('redaction takes time in proportion to the text', () => {
  for (const part of [
    '\\"',
    '"token":',
    '"token":[',
    '{"',
    'token=',
    '://',
    'signature=',
    '"\\\\"token":"',
  ]) {
    const before = process.cpuUsage().user;
    redacted(part.repeat(100_000));
    // A quadratic time would be minutes.
    expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(20);
  }
});

test('a secret is redacted wherever a request or a post quotes it, and stays in emails', async () => {
  const emulator = createEmulator({ details: true, limits: false });
  const { token, hosts } = emulator.clientOptions();
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: false });
  const other = emulator.createToken();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-api-key': 'key-4711-4711',
  };
  const note = `${token} ${encodeURIComponent(other)} ${btoa(`x ${token}`)} key-4711-4711 hook-pass-4712`;
  await emulator.fetch(`${hosts.api}/api/accounts?note=${encodeURIComponent(note)}`, { headers });
  await emulator.fetch(`${hosts.api}/api/accounts`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ note }),
  });
  await emulator.fetch(`${hosts.api}/api/accounts?api_token=query-4713-4713`, { headers });
  await client.webhooks.create({
    url: 'https://user:hook-pass-4712@shop.example.com/hooks',
    webhook_type: 'email_sending',
    sending_stream: 'transactional',
    event_types: ['delivery'],
  });
  const link = 'https://shop.example.com/reset?token=reset-4714-4714';
  await client.sending.send({
    from: 'a@mail.example.com',
    to: 'ann@example.org',
    subject: 'Reset',
    text: link,
  });
  const file = await newFile();
  await emulator.report(file, { addresses: 'shown' });
  const { requests, posts, mails } = await dataIn(file);
  const text = JSON.stringify([requests, posts]);
  for (const secret of [token, other, btoa(`x ${token}`), 'key-4711', 'hook-pass-4712', 'query-4713'])
    expect(text).not.toContain(secret);
  expect(mails[0]?.text).toBe(link);
});

test('a kept body has no content of attachments, and a request without a token keeps little', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
  const content = 'QUJD'.repeat(40_000);
  const attachments = [{ filename: 'a.pdf', type: 'application/pdf', content }];
  const refused = {
    from: 'a@unverified.example.com',
    to: 'ann@example.org',
    subject: 'Hello',
    text: 'Hello',
    attachments,
  };
  await client.sending.send(refused).catch(() => undefined);
  const { hosts } = emulator.clientOptions();
  await emulator.fetch(`${hosts.api}/api/accounts?q=${'a@b.cc,'.repeat(2_000)}`, {
    headers: { 'x-a': '@'.repeat(9_000) },
  });
  const file = await newFile();
  await emulator.report(file, { addresses: 'masked' });
  const { requests } = await dataIn(file);
  const [stranger, send] = requests;
  expect(JSON.parse(send?.details?.body ?? '')).toMatchObject({
    subject: 'Hello',
    attachments: [{ content: '(160000 characters left out)' }],
  });
  expect(send?.details?.body).not.toContain('ann@');
  expect(stranger?.query.length).toBeLessThanOrEqual(2_000);
  expect(Object.fromEntries(stranger?.details?.headers ?? [])['x-a']?.length).toBeLessThanOrEqual(1_000);
});

test('the emails of a handler, a fault and a broken connection are told apart', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
  const mail = { from: 'a@mail.example.com', to: 'ann@example.org', subject: 'Order', text: 'Hello.' };
  emulator.on('POST /api/send', ({ next }) => next());
  await client.sending.send(mail);
  emulator.faults.next({ kind: 'reset-after' });
  await client.sending.send(mail).catch(() => undefined);
  emulator.faults.next({ kind: 'status', status: 503, body: { errors: ['Down'] } });
  await client.sending.send(mail).catch(() => undefined);
  const file = await newFile();
  await emulator.report(file, { addresses: 'shown' });
  const { requests, mails } = await dataIn(file);
  expect(requests.map(({ status, mails: sent, refused }) => [status, sent.length, refused])).toEqual([
    [503, 0, true],
    [null, 1, false],
    [200, 1, false],
  ]);
  expect(mails.map(({ request }) => request)).toEqual(['2', '1']);
  expect(requests[0]?.reasons).toEqual([{ field: null, message: 'Down' }]);
  expect(requests[0]?.details?.body).toContain('Order');
});

test('an answer without an end does not hold up a report', async () => {
  const emulator = createEmulator({ details: true });
  const { token, hosts } = emulator.clientOptions();
  emulator.on(
    'GET /api/templates',
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"items":[')),
        }),
        { headers: { 'content-type': 'application/json' } },
      ),
  );
  await emulator.fetch(`${hosts.api}/api/templates`, { headers: { authorization: `Bearer ${token}` } });
  const file = await newFile();
  await emulator.report(file);
  const { requests } = await dataIn(file);
  expect(requests).toMatchObject([{ status: 200, details: { responseBody: null } }]);
});
