/** Fields that another package puts on `Object.prototype` are no options of the entry for tests. */
import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { EmailPlatform } from 'email-platform';
import * as testing from 'email-platform/testing';
import { handlers } from 'email-platform/testing/msw';
import { expect, test } from 'vitest';
import { check, flag, mapOf, objectOf, or, text } from '../../src/testing/declare/kind.ts';
import { folderOf } from '../entries/templates/folders.ts';
import { dataIn } from './report/report-data.ts';

const { createEmulator } = testing;
const mail = {
  from: 'shop@mail.example.com',
  to: 'ann@example.org',
  subject: 'Order',
  html: '<p>undefined</p>',
};
const ORIGIN = 'https://elsewhere.example';

/** Does some work while `Object.prototype` has a field. */
async function polluted<T>(name: string, value: unknown, work: () => T | Promise<T>): Promise<T> {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

async function sent(stream: 'transactional' | 'sandbox' = 'transactional') {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  await client.sending.send(mail, { stream });
  const folder = folderOf({});
  const at = (name: string) => join(folder, name);
  await emulator.report(at('a.html'), { addresses: 'shown' });
  return { emulator, client, at };
}

/** A server of an emulator, used after the field is gone. */
async function listening(name: string, value: unknown, use: (url: string) => Promise<unknown>) {
  const server = await polluted(name, value, () => createEmulator().listen({ port: 0 }));
  try {
    return [await use(server.url), server.control !== undefined];
  } finally {
    await server.close();
  }
}

const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise((resolve) => get(`${url}/x`, { headers }, (response) => resolve(response.resume().statusCode)));

test.each(['out', 'summary'])('compareReports writes no file: %s', async (name) => {
  const { at } = await sent();
  await polluted(name, at('new'), () => testing.compareReports([at('a.html')], at('a.html')));
  expect(existsSync(at('new'))).toBe(false);
});

test('failOn makes no report fail', async () => {
  const { emulator, client, at } = await sent('sandbox');
  await polluted('failOn', 'warn', async () => {
    await emulator.report(at('b.html'));
    await testing.mailReport(client, { file: at('c.html') });
    await testing.joinReports([at('a.html')], at('d.html'));
  });
});

test.each<[string, unknown]>([
  ['title', 'Another title'],
  ['addresses', 'masked'],
  ['checks', { undefined: false }],
  ['after', Date.now() + 1e9],
  ['most', 1],
])('a report is the same: %s', async (name, value) => {
  const { emulator, client, at } = await sent('sandbox');
  await client.sending.send({ ...mail, subject: 'Another' }, { stream: 'sandbox' });
  const written = async () => {
    await emulator.report(at('b.html'), { site: ORIGIN });
    await testing.mailReport(client, { file: at('c.html'), analysis: false });
  };
  const read = async () => {
    const all = [await dataIn(at('b.html')), await dataIn(at('c.html'))];
    return all.map(({ run, addresses, mails, findings }) => [run?.title, addresses, mails.length, findings]);
  };
  await written();
  const clean = await read();
  await polluted(name, value, written);
  expect(await read()).toEqual(clean);
});

test.each<[string, unknown]>([
  ['cors', { origins: [ORIGIN] }],
  ['allowedHosts', ['elsewhere.example']],
  ['control', true],
  ['host', '0.0.0.0'],
])('a server lets no other origin, host or machine in: %s', async (name, value) => {
  const answers = async (url: string) => [
    (await fetch(`${url}/x`, { headers: { origin: ORIGIN } })).headers.get('access-control-allow-origin'),
    await statusOf(url, { host: 'elsewhere.example' }),
    new URL(url).hostname,
  ];
  expect(await listening(name, value, answers)).toEqual([[null, 403, '127.0.0.1'], false]);
});

test('nor does the token of a control API, of an emulator or of a connection count', async () => {
  const token = 'a-token-that-others-know';
  const options = await polluted('token', token, () => createEmulator().clientOptions());
  expect(options.token).not.toBe(token);
  const door = await polluted('token', token, () => createEmulator().listen({ control: true }));
  expect(door.control?.token).not.toBe(token);
  await door.close();
  await polluted('controlToken', token, () =>
    expect(() => testing.connectEmulator('http://127.0.0.1:1', {} as never)).toThrow(TypeError),
  );
});

test.each<[string, unknown, () => unknown]>([
  ['domain', 'elsewhere.example', () => testing.mailbox(createEmulator()).address('ann').replace(/.*@/, '')],
  ['hosts', { api: ORIGIN }, () => handlers(createEmulator()).length],
  ['limits', false, () => createEmulator().clientOptions().throttle],
  ['accountId', 7, () => createEmulator().clientOptions().accountId],
  [
    'seed',
    'demo',
    async () => {
      const client = new EmailPlatform(createEmulator().clientOptions());
      return (await client.campaigns.list().toArray({ limit: 5 })).length;
    },
  ],
  [
    'secret',
    'x',
    () => testing.triggerEvent('open', { to: ORIGIN, fetch: answering }).then(({ secret }) => secret.length),
  ],
  [
    'timeoutMs',
    1,
    () => testing.triggerEvent('open', { to: ORIGIN, fetch: answering }).then(({ status }) => status),
  ],
])('%s changes no result', async (name, value, work) => {
  expect(await polluted(name, value, work)).toEqual(await work());
});
const answering = () => Promise.resolve(new Response('ok'));

test('an argument is read once, at each depth with its own fields alone', () => {
  let reads = 0;
  const kind = objectOf<{ a: unknown; b: unknown }>({
    a: mapOf(text),
    b: or(objectOf<{ c: unknown }>({ c: flag }), false),
  });
  const input = {
    get a() {
      reads += 1;
      return { x: 'y' };
    },
    b: { c: true },
  };
  const given = check(kind, input, 'options');
  const prototypes = [given, given.a, given.b].map((one) => Object.getPrototypeOf(one) as unknown);
  expect([given, prototypes, reads]).toEqual([{ a: { x: 'y' }, b: { c: true } }, [null, null, null], 1]);
});
