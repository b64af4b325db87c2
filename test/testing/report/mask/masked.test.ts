/** Which parts of a report's data are masked, and which emails. */
import { describe, expect, test } from 'vitest';
import type { ReportData, ReportMail } from '../../../../src/testing/report/data/data.ts';
import { isReserved, masked } from '../../../../src/testing/report/mask/masked.ts';

const ADDRESS = 'ann@gmail.com';
const TOKEN = 'dmljdG9yaWEucHVtYmxlY2hvb2tAZXhhbXBsZS5vcmc=';
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const PNG = base64('\x89PNG\r\n\x1a\n');
const file = (name: string, type: string, content: string, contentId: string | null = null) => ({
  filename: name,
  type,
  bytes: 6,
  inline: contentId !== null,
  contentId,
  content,
});

/** A mail that names its recipient in every text. */
const MAIL = {
  id: '1',
  kind: `category:${ADDRESS}`,
  from: 'shop@mail.example.com',
  replyTo: null,
  to: ADDRESS,
  mark: `sends to ${ADDRESS}`,
  recipients: { to: [{ email: ADDRESS, name: ADDRESS }], cc: [] },
  subject: `For ${ADDRESS}`,
  html: `<p>Dear ${ADDRESS}, use K7M2-9QXP</p><img src="cid:logo-${TOKEN}"><img src="cid:other">`,
  text: `Hello ${ADDRESS}`,
  headers: [
    ['To', `=?utf-8?b?${base64('An')}?= <${ADDRESS}>`],
    ['Subject', `=?utf-8?b?${base64(`For ${ADDRESS}`)}?= (${ADDRESS})`],
    [`X-${ADDRESS}`, TOKEN],
    ['MIME-Version', '2.0'],
    ['Content-Type', 'multipart/mixed; boundary=old'],
  ],
  source: `To: ${ADDRESS}\r\n\r\nThe old source`,
  attachments: [
    file(`${ADDRESS}.csv`, 'text/csv', base64(`email\n${ADDRESS}\n${TOKEN}`)),
    file('logo.png', 'image/png', PNG, `<logo-${TOKEN}>`),
    file('photo', 'application/octet-stream', PNG),
    file('a.pdf', 'application/pdf', base64('%PDF')),
    file('fake.png', 'image/png', base64('secret'), 'fake'),
    file('bytes.txt', 'text/plain', base64('a\0\x01')),
    file('latin.txt', 'text/plain', base64('caf\xe9')),
  ],
  links: [{ url: `https://shop.example/${TOKEN}?u=${ADDRESS}`, text: ADDRESS }],
  customVariables: { [`seen:${ADDRESS}`]: TOKEN },
  events: [{ type: 'delivery', at: 5 }],
  request: '7',
} as unknown as ReportMail;
const OPEN = {
  ...MAIL,
  id: '2',
  kind: 'category:open',
  to: 'ben@example.org',
  recipients: { to: [], cc: [] },
  headers: [],
};

const dataOf = (changes: object) =>
  ({
    mails: [],
    requests: [],
    posts: [],
    kinds: [],
    findings: [],
    addresses: 'shown',
    ...changes,
  }) as unknown as ReportData;
const maskedMail = (changes: object = {}): ReportMail => {
  const [mail] = masked(dataOf({ mails: [{ ...MAIL, ...changes }] })).mails;
  if (mail === undefined) throw new Error('the mail is gone');
  return mail;
};

test('every text and name of an email is masked, and other values stay', () => {
  const { source, ...mail } = maskedMail();
  expect(JSON.stringify(mail)).not.toMatch(/ann@|dmljdG9y/);
  expect(mail).toMatchObject({
    kind: 'category:a***@gmail.com',
    from: 's***@mail.example.com',
    to: 'a***@gmail.com',
    mark: 'sends to a***@gmail.com',
    recipients: { to: [{ email: 'a***@gmail.com', name: 'a***@gmail.com' }], cc: [] },
    subject: 'For a***@gmail.com',
    html: '<p>Dear a***@gmail.com, use K7M2-9QXP</p><img src="cid:file-2"><img src="cid:other">',
    links: [{ url: 'https://shop.example/‹token, 44 characters›?u=a***@gmail.com', text: 'a***@gmail.com' }],
    customVariables: { 'seen:a***@gmail.com': '‹token, 44 characters›' },
    events: [{ type: 'delivery', at: 5 }],
    request: '7',
  });
});

test('headers and the source are shown as decoded text, files in it by name, kind and length', () => {
  const { headers, source } = maskedMail();
  expect(headers.slice(0, 3)).toEqual([
    ['To', 'An <a***@gmail.com>'],
    ['Subject', 'For a***@gmail.com (a***@gmail.com)'],
    ['X-a***@gmail.com', '‹token, 44 characters›'],
  ]);
  expect(source?.split('\r\n\r\n')[0]).toBe(
    [
      'To: An <a***@gmail.com>',
      'Subject: For a***@gmail.com (a***@gmail.com)',
      'X-a***@gmail.com: ‹token, 44 characters›',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="part"',
    ].join('\r\n'),
  );
  expect(source).toContain(
    '--part\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello a***@gmail.com\r\n',
  );
  expect(source).toContain('name="a.pdf"\r\n\r\n‹application/pdf, 6 bytes›\r\n');
  expect(source).not.toMatch(/boundary=old|The old source|iVBOR|ann@/);
  expect(maskedMail({ source: null }).source).toBeNull();
});

test('of the files, pictures stay by their first bytes, and plain texts masked', () => {
  const { attachments } = maskedMail();
  expect(attachments.map(({ filename, contentId, content }) => [filename, contentId, content])).toEqual([
    [
      'a***@gmail.com.csv',
      null,
      base64('email\na***@gmail.com\n') + Buffer.from('‹token, 44 characters›').toString('base64'),
    ],
    ['logo.png', 'file-2', PNG],
    ['photo', null, PNG],
    ['a.pdf', null, null],
    ['fake.png', 'file-5', null],
    ['bytes.txt', null, null],
    ['latin.txt', null, null],
  ]);
  expect(
    maskedMail({ attachments: [file('a.png', 'image/png', 'no base64!')] }).attachments[0]?.content,
  ).toBeNull();
});

test('the other parts of a report are masked too, JSON in them text by text', () => {
  const details = { headers: [['x-to', ADDRESS]], body: `{"to":"ann\\u0040gmail.com"}`, responseBody: null };
  const callId = '01JDR4F7X2M8K3N5P6Q7R8S9T0';
  const data = masked(
    dataOf({
      run: { title: `Run of ${ADDRESS}`, commit: 'a5f3c9e1b2d4f6a8a5f3c9e1b2d4f6a8a5f3c9e1' },
      notes: [`1 link to ${ADDRESS}`],
      mails: [MAIL],
      kinds: [{ id: MAIL.kind, name: ADDRESS, by: 'category', count: 1 }],
      requests: [
        { path: `/contacts/ann%40gmail.com/${TOKEN}`, query: `?t=${TOKEN}`, callId, mails: [], details },
      ],
      posts: [{ body: '{"email":"zoe@gmail.com"}', at: 5 }],
      findings: [{ message: `${ADDRESS} and zoe@gmail.com`, kind: ADDRESS, ids: ['1'] }],
    }),
  );
  expect(data).toMatchObject({
    addresses: 'masked',
    run: { title: 'Run of a***@gmail.com', commit: 'a5f3c9e1b2d4f6a8a5f3c9e1b2d4f6a8a5f3c9e1' },
    notes: ['1 link to a***@gmail.com'],
    kinds: [{ id: 'category:a***@gmail.com', name: 'a***@gmail.com' }],
    requests: [
      {
        path: '/contacts/a***%40gmail.com/‹token, 44 characters›',
        query: '?t=‹token, 44 characters›',
        callId,
        details: {
          headers: [['x-to', 'a***@gmail.com']],
          body: '{"to":"a***@gmail.com"}',
          responseBody: null,
        },
      },
    ],
    posts: [{ body: '{"email":"z***@gmail.com"}', at: 5 }],
    findings: [{ message: 'a***@gmail.com and z***@gmail.com', kind: 'a***@gmail.com' }],
  });
});

describe('Without the option', () => {
  const byDefault = (changes: object, bcc?: ReadonlyMap<string, readonly string[]>) =>
    masked(dataOf(changes), isReserved, bcc);

  test('a domain is reserved by its name, or by its end', () => {
    for (const domain of [
      'example',
      'example.org',
      'a.example.com',
      'EXAMPLE.NET',
      'a.test',
      'test',
      'b.invalid',
      'localhost',
      'a.localhost',
      'shop.example',
    ])
      expect([domain, isReserved(domain)]).toEqual([domain, true]);
    for (const domain of [
      'gmail.com',
      'myexample.org',
      'example.de',
      'example.org.uk',
      'contest',
      'test.com',
      'localhost.com',
      '',
    ])
      expect([domain, isReserved(domain)]).toEqual([domain, false]);
  });

  test('a report whose addresses are all reserved is not changed, with any sender', () => {
    const data = dataOf({
      mails: [{ ...OPEN, from: 'shop@gmail.com' }],
      requests: [
        {
          path: '/',
          query: '',
          mails: ['2'],
          details: { body: '{"from":{"email":"shop@gmail.com"},"to":[{"email":"ben@example.org"}]}' },
        },
      ],
    });
    expect(masked(data, isReserved)).toBe(data);
  });

  test('an email is masked as a whole by one other recipient, with its requests, posts and findings', () => {
    const finding = (id: string) => ({ message: `${ADDRESS} ben@example.org`, kind: 'a', ids: [id] });
    const request = (id: string, mails: readonly string[]) => ({
      id,
      path: '/t/x7Kd9',
      query: '',
      mails,
      details: null,
    });
    const data = byDefault({
      mails: [MAIL, OPEN],
      kinds: [{ id: MAIL.kind }, { id: OPEN.kind }, { id: 'category:ann@gmail.com-left' }],
      requests: [
        request('7', ['1']),
        request('8', ['2']),
        { ...request('9', []), email: { to: ['zoe@gmail.com'] } },
      ],
      posts: [
        { body: '{"email":"ben@example.org"}', mails: ['1'] },
        { body: '{"email":"ben@example.org"}', mails: ['2'] },
      ],
      findings: [finding('1'), finding('2')],
    });
    expect(data.addresses).toBe('masked');
    expect(data.mails.map(({ subject }) => subject)).toEqual(['For a***@gmail.com', 'For ann@gmail.com']);
    expect(data.mails[1]).toEqual(OPEN);
    expect(data.kinds.map(({ id }) => id)).toEqual([
      'category:a***@gmail.com',
      'category:open',
      'category:a***@gmail.com-left',
    ]);
    expect(data.requests.map(({ path }) => path.includes('‹'))).toEqual([true, false, true]);
    expect(data.posts.map(({ body }) => body.includes('***'))).toEqual([true, false]);
    expect(data.findings.map(({ message }) => message)).toEqual([
      'a***@gmail.com b***@example.org',
      `${ADDRESS} ben@example.org`,
    ]);
  });

  test('a hidden recipient counts for each copy of the email', () => {
    expect(byDefault({ mails: [OPEN] }, new Map([['2', ['zoe@gmail.com']]])).mails[0]?.to).toBe(
      'b***@example.org',
    );
  });

  test('emails of one kind have one id of it, masked or not', () => {
    const data = byDefault({ mails: [MAIL, { ...OPEN, kind: MAIL.kind }], kinds: [{ id: MAIL.kind }] });
    expect(new Set([...data.mails.map(({ kind }) => kind), ...data.kinds.map(({ id }) => id)])).toEqual(
      new Set(['category:a***@gmail.com']),
    );
  });
});
