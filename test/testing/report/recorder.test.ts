import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { Newest } from '../../../src/testing/report/newest.ts';
import { redacted } from '../../../src/testing/report/redacted.ts';
import { dataIn, newFile } from './report-data.ts';

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

test('5,000 mails are kept, and the others counted, also in their kinds', async () => {
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

test('64 MB are kept: large mails push out the oldest', async () => {
  const emulator = createEmulator({ limits: false });
  const client = new EmailPlatform(emulator.clientOptions());
  for (let index = 0; index < 9; index += 1)
    await client.sending.send({
      from: 'a@mail.example.com',
      to: 'ann@example.org',
      subject: `Large ${index}`,
      text: 'Hello. '.repeat(600_000),
    });
  const file = await newFile();
  await emulator.report(file, { addresses: 'shown' });
  const data = await dataIn(file);
  expect(data.sent).toBe(9);
  expect(data.mails.length).toBeGreaterThan(5);
  expect(data.omitted.mails).toBe(9 - data.mails.length);
  expect(data.mails[0]?.subject).toBe('Large 8');
  expect(data.mails[0]?.source).toBeNull();
});

test.each([
  ['{"token":"abc\\"d","name":"x"}', '{"token":"[redacted]","name":"x"}'],
  ['{"signing_secret": "abc"}', '{"signing_secret": "[redacted]"}'],
  ['{"smtp_password":"abc', '{"smtp_password":"[redacted]"'],
  ['{"next_page_token":"abc"}', '{"next_page_token":"abc"}'],
  [
    '{"url":"https://a.example/x?expires=1&signature=abc"}',
    '{"url":"https://a.example/x?expires=1&signature=[redacted]"}',
  ],
])('%s has no secret in a report', (text, expected) => {
  expect(redacted(text)).toBe(expected);
});

test('the mails of a handler, a fault and a broken connection are told apart', async () => {
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
