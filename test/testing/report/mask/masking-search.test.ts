import { readFile } from 'node:fs/promises';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { isFull } from '../../../support/extent.ts';
import { found } from './search.ts';
import { dataIn, newFile } from '../report-data.ts';

const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const percent = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const entities = (text: string) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join('');
const json = (text: string) =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
const quoted = (text: string) => percent(text).toUpperCase().replaceAll('%', '=');
const between = (text: string, what: string) => Array.from(text).join(what);

/** One character, or the whole text, written in another way. */
const LAYERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace('@', '%40'),
  (text) => text.replace('@', '&#64;'),
  (text) => text.replace('@', '&commat;').replaceAll('.', '&period;'),
  (text) => text.replace('@', '=40'),
  (text) => text.replace('@', '\\u0040'),
  percent,
  entities,
  json,
  quoted,
  (text) => base64(text),
  (text) =>
    base64(`{"sub":7,"email":"${text}"}`).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'),
  (text) => base64(text, 'utf16le'),
  (text) => base64(Buffer.from(text, 'utf16le').swap16().toString('latin1'), 'latin1'),
  (text) => (base64(`${'Hello. '.repeat(20)}${text} Bye.`).match(/.{1,76}/g) ?? []).join('\r\n'),
  hex,
  (text) => between(text, '<wbr>'),
  (text) => text.replace('@', '<span class="at">@</span>').replaceAll('.', '<span>.</span>'),
  (text) => text.replace('@', '&shy;@&#8203;'),
  (text) => between(text, '\u200b'),
  (text) => between(text, '\u00ad'),
  (text) => `bounce+${text.replace('@', '=')}@bounces.example.com`,
  (text) => `=?UTF-8?B?${base64(text.slice(0, 6))}?= =?UTF-8?B?${base64(text.slice(6))}?=`,
  (text) => `=?utf-8?q?${quoted(text)}?=`,
  (text) => text.toUpperCase(),
  (text) => text.replace('@', '＠'),
];

const PERSONS = [
  'victoria.smithson@example.org',
  'żona@example.org',
  'josé.núñez@bücher.example',
  "o'brien+news@mail.example.net",
  'ann@gmail',
  'ben.smith@example,org',
  'ann%dept@example.com',
  'carol.jones@[192.0.2.1]',
];

/** A mail about a person, whose address is written in up to two ways at once. */
function mailOf(index: number) {
  const who = PERSONS[index % PERSONS.length] ?? '';
  const one = LAYERS[index % LAYERS.length] ?? String;
  const two = LAYERS[Math.floor(index / LAYERS.length) % LAYERS.length] ?? String;
  const written = two(one(who));
  return {
    from: 'shop@mail.example.com',
    to: who,
    subject: `Order ${index} for ${one(who)}`.replace(/[\r\n]+/g, ' ').slice(0, 900),
    html: `<p>${written}</p><a href="https://shop.example/u?t=${written}&x=1">Go</a><!-- ${one(who)} -->`,
    text: `Hello ${written}\r\n${one(who)} https://shop.example/${base64(who)}`,
    headers: { 'X-For': written.replace(/[\r\n]+/g, ' ').slice(0, 900) },
    custom_variables: { who: written },
    attachments: [{ filename: 'a.txt', content: base64(`For ${written}`), type: 'text/plain' }],
  };
}

/** Without a common divisor with the numbers of layers and of persons. */
const STEP = 7;

test('no address is in a masked report of hostile emails, however it is written, by a search of every byte', async () => {
  const emulator = createEmulator({ details: true, limits: false });
  const { token, hosts } = emulator.clientOptions();
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: false, retry: false });
  // In full, each pair of layers about three persons; otherwise each layer at both places, and each person.
  const total = isFull ? 3 * LAYERS.length ** 2 : LAYERS.length ** 2;
  for (let index = 0; index < total; index += isFull ? 1 : STEP) {
    const { to, ...mail } = mailOf(index);
    await emulator.fetch(`${hosts.send}/api/send?for=${encodeURIComponent(to)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...mail, from: { email: mail.from }, to: [{ email: to }] }),
    });
  }
  await client.contacts.get('victoria.smithson@example.org').catch(() => undefined);
  const file = await newFile();
  await emulator.report(file, { addresses: 'masked' });
  const data = await dataIn(file);
  expect(data.requested).toBeGreaterThan(total / STEP);
  const text = await readFile(file, 'utf8');
  const json = text.slice(text.indexOf('id="report"'));
  const hits = new Set<string>();
  for (const part of [...data.mails, ...data.requests]) {
    // Each text apart, as a page decodes it, and the file's bytes below.
    const strings: string[] = [];
    JSON.stringify(part, (_, value: unknown) => (typeof value === 'string' && strings.push(value), value));
    for (const one of new Set(strings))
      for (const hit of found(one, PERSONS)) hits.add(`${hit} in ${part.id}: ${one.slice(0, 1500)}`);
  }
  expect([...hits].slice(0, 40)).toEqual([]);
  expect(found(json, PERSONS, 1)).toEqual([]);
});
