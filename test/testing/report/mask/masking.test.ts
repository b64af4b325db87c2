import { readFile, stat } from 'node:fs/promises';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { masked } from '../../../../src/testing/report/mask/masked.ts';
import { Mask } from '../../../../src/testing/report/mask/mask.ts';
import { dataIn, newFile } from '../report-data.ts';

const ADDRESS = 'ann@example.org';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A text as each character may be written. */
const written = (of: (code: string) => string) =>
  Array.from(ADDRESS, (letter) => of(letter.charCodeAt(0).toString(16).padStart(2, '0'))).join('');

const FORMS: Readonly<Record<string, string>> = {
  plain: ADDRESS,
  'upper case': 'ANN@Example.ORG',
  percent: 'ann%40example.org',
  'percent in lower case': 'ann%40example%2eorg',
  'percent of each letter': written((code) => `%${code}`),
  'percent twice': 'ann%2540example.org',
  JSON: 'ann\\u0040example.org',
  'JSON of each letter': written((code) => `\\u00${code}`),
  'JSON in JSON': 'ann\\\\u0040example.org',
  'HTML in decimals': 'ann&#64;example&#46;org',
  'HTML in hexadecimals': written((code) => `&#x${code};`),
  'HTML by names': 'ann&commat;example&period;org',
  'quoted-printable': 'ann=40example=2Eorg',
  'quoted-printable over two lines': 'ann=40exam=\r\nple.org',
  'within another address': `joann@example.org`,
  base64: base64(ADDRESS),
  'base64 of a sentence': base64(`Dear ${ADDRESS}, hello.`),
  'base64 over lines': (
    base64(`${'Hello. '.repeat(20)}${ADDRESS}${' Bye.'.repeat(20)}`).match(/.{1,76}/g) ?? []
  ).join('\r\n'),
  'base64 for URLs': Buffer.from(`{"to":"${ADDRESS}","x":"???>>>"}`).toString('base64url'),
  'encoded words': `=?UTF-8?B?${base64('Grüße an ann@exam')}?=\r\n =?UTF-8?B?${base64('ple.org')}?=`,
};

/** A text in which nothing is encoded, as far as a reader could decode it. */
function decoded(text: string): string {
  const words = text.replace(/(?:=\?UTF-8\?B\?[\w+/=]*\?=\s*)+/g, (all) => {
    const parts = [...all.matchAll(/\?B\?([\w+/=]*)\?=/g)].map(([, part = '']) =>
      Buffer.from(part, 'base64'),
    );
    return Buffer.concat(parts).toString();
  });
  const once = words
    .replace(/=\r?\n/g, '')
    .replace(/%25/g, '%')
    .replace(/&(commat|period);/g, (_, name) => (name === 'commat' ? '@' : '.'))
    .replace(/(?:%|=|\\+u00)([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const packed = once.replace(/\r\n/g, '').match(/[\w+/-]{8,}/g) ?? [];
  return [
    once,
    ...packed.flatMap((one) =>
      [0, 1, 2, 3].map((skip) => Buffer.from(one.slice(skip), 'base64').toString('latin1')),
    ),
  ]
    .join('\n')
    .toLowerCase();
}

test.each(Object.entries(FORMS))('an address is masked: %s', (_, form) => {
  const text = `https://shop.example/?to=${form}&x=1 <a href="mailto:${form}">${form}</a> Bye.`;
  const forms = [form, text, `"${form}"`, ` ${form}\r\n`];
  expect(forms.every((one) => decoded(one).includes(ADDRESS))).toBe(true);
  const mask = new Mask([ADDRESS]);
  for (const one of forms) {
    const masked = mask.text(one);
    expect(decoded(masked)).not.toContain(ADDRESS);
    expect(decoded(masked)).toContain('***');
  }
});

test('two persons stay two, and others stay as they are', () => {
  const mask = new Mask(['ann@example.org', 'amy@example.org', 'josé@example.org']);
  expect(mask.text('ann@example.org, amy@example.org, help@example.org')).toBe(
    'a***@example.org, a***2@example.org, help@example.org',
  );
  expect(mask.text(encodeURIComponent('josé@example.org'))).toBe('j***%40example.org');
  expect(mask.text('@media (width > 1px) { a { color: red } }')).toBe(
    '@media (width > 1px) { a { color: red } }',
  );
});

test('no byte of the file has an address, wherever a program put it', async () => {
  const emulator = createEmulator({ details: true });
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
  const mail = {
    from: 'The Gardeners <hello@mail.example.com>',
    to: `Ann <${ADDRESS}>`,
    subject: `Für ${ADDRESS}, und noch viel mehr, damit es lang wird`,
    html: `<p>Dear ${ADDRESS} (ann&#64;example.org)</p><a href="https://shop.example/?u=ann%40example.org&t=${base64(ADDRESS)}">Go</a>`,
    text: `Dear ${ADDRESS}`,
    headers: { 'X-For': ADDRESS },
    attachments: [{ filename: `${ADDRESS}.txt`, content: base64(`For ${ADDRESS}`), type: 'text/plain' }],
    custom_variables: { who: ADDRESS },
    category: ADDRESS,
  };
  await client.sending.send(mail);
  await client.sending.send({ ...mail, to: 'not an address' }).catch(() => undefined);
  await client.contacts.get('ann@example.org').catch(() => undefined);
  const { token, hosts } = emulator.clientOptions();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await emulator.fetch(`${hosts.send}/api/send?for=ann%40example.org`, {
    method: 'POST',
    headers,
    body: '{"to":[{"email":"ann\\u0040example.org"}],"from":5}',
  });
  const file = await newFile();
  await emulator.report(file);
  const text = await readFile(file, 'utf8');
  expect(text.toLowerCase()).not.toContain(ADDRESS);
  expect(decoded(text)).not.toContain(ADDRESS);
  expect(text).toContain('a***@example.org');
  const data = await dataIn(file);
  expect(data.addresses).toBe('masked');
  expect(data.mails.flatMap(({ attachments }) => attachments.map(({ content }) => content))).toEqual([null]);
  // The sender is nobody's secret.
  expect(data.mails[0]?.from).toBe('hello@mail.example.com');

  await emulator.report(file, { addresses: 'shown' });
  expect(await readFile(file, 'utf8')).toContain(ADDRESS);
});

test('a masked source is written from the masked email, and no part that the parser calls an attachment is in it', async () => {
  const data = {
    to: `Ann <${ADDRESS}>`,
    headers: [
      ['To', `=?UTF-8?B?${base64('Ännchen')}?= <${ADDRESS}>`],
      ['Subject', `=?UTF-8?B?${base64(`Für ${ADDRESS}`)}?=`],
      ['Content-Type', 'multipart/mixed; boundary=b'],
    ] as [string, string][],
    attachments: [
      {
        filename: `${ADDRESS}.txt`,
        type: 'text/plain',
        bytes: 6,
        inline: true,
        contentId: null,
        content: base64('secret'),
      },
    ],
  };
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  await client.sending.send({
    from: 'a@mail.example.com',
    to: ADDRESS,
    subject: 'Hello',
    text: `Dear ${ADDRESS}`,
  });
  const file = await newFile();
  await emulator.report(file, { addresses: 'shown' });
  const shown = await dataIn(file);
  const { mails } = masked({ ...shown, mails: shown.mails.map((mail) => ({ ...mail, ...data })) });
  const source = mails[0]?.source ?? '';
  expect(source).toContain(`To: =?UTF-8?B?${base64('Ännchen')}?= <a***@example.org>`);
  expect(source).toContain(`Subject: =?UTF-8?B?${base64('Für a***@example.org')}?=`);
  expect(source).toContain('Dear a***@example.org');
  expect(source).toContain('(left out, as addresses are masked)');
  expect(source).not.toContain('boundary=b');
  expect(source).not.toContain(base64('secret'));
});

test('properties on `Object.prototype` do not unmask a report, and nor does a recipient beyond Latin-1', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const link = Buffer.from('{"to":"\\u017cona@example.org"}').toString('base64url');
  const html = `<p>&#380;ona@example.org, ł</p><a href="https://x.example/${link}">x</a>`;
  await client.sending.send({
    from: 'a@mail.example.com',
    to: 'żona@example.org',
    subject: 'Hello',
    text: 'Hello',
    html,
  });
  const file = await newFile();
  Object.defineProperty(Object.prototype, 'addresses', {
    value: 'shown',
    configurable: true,
    writable: true,
  });
  try {
    await emulator.report(file);
  } finally {
    Reflect.deleteProperty(Object.prototype, 'addresses');
  }
  const data = await dataIn(file);
  expect(data.addresses).toBe('masked');
  expect(data.mails[0]?.html).toBe('<p>***@example.org, ł</p><a href="https://x.example/***">x</a>');
});

test('a report can be read by its owner only', async () => {
  const file = await newFile();
  await createEmulator().report(file);
  expect((await stat(file)).mode & 0o77).toBe(0);
});
