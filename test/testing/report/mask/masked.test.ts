/** Which parts of a report's data are masked, and how the source of a mail is written again. */
import { expect, test } from 'vitest';
import type { ReportData, ReportMail } from '../../../../src/testing/report/data/data.ts';
import { masked } from '../../../../src/testing/report/mask/masked.ts';

const ADDRESS = 'ann@example.org';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A mail that names its recipient in every text. */
const MAIL = {
  id: '1',
  from: 'shop@mail.example.com',
  to: ADDRESS,
  recipients: { to: [{ email: ADDRESS, name: ADDRESS }], cc: [] },
  subject: `For ${ADDRESS}`,
  html: `<p>Dear ${ADDRESS}</p>`,
  text: `Hello ${ADDRESS}`,
  headers: [
    ['To', ADDRESS],
    ['Subject', `=?utf-8?b?${base64(`Für ${ADDRESS}`)}?= (${ADDRESS})`],
    ['X-ann@example.org', 'x'],
    ['X-Content-Of', 'kept'],
    ['MIME-Version', '2.0'],
    ['MIME-Version-Of', 'kept'],
    ['Content-Type', 'multipart/mixed; boundary=old'],
  ],
  source: `To: ${ADDRESS}\r\n\r\nThe old source`,
  attachments: [
    {
      filename: `${ADDRESS}.txt`,
      type: 'text/plain',
      bytes: 6,
      inline: false,
      contentId: null,
      content: base64('secret'),
    },
    {
      filename: 'b.png',
      type: 'image/png',
      bytes: 6,
      inline: true,
      contentId: 'b',
      content: base64('secret'),
    },
  ],
  links: [{ url: `https://shop.example/?u=${ADDRESS}`, text: ADDRESS }],
  events: [{ type: 'delivery', at: 5 }],
} as unknown as ReportMail;

const maskedData = (changes: object): ReportData =>
  masked({ mails: [], requests: [], posts: [], addresses: 'shown', ...changes } as unknown as ReportData);
const maskedMail = (changes: object = {}): ReportMail => {
  const [mail] = maskedData({ mails: [{ ...MAIL, ...changes }] }).mails;
  if (mail === undefined) throw new Error('the mail is gone');
  return mail;
};

test('every text of an email is masked, and other values stay', () => {
  const { source, ...mail } = maskedMail();
  expect(JSON.stringify(mail)).not.toContain('ann@');
  expect(mail).toMatchObject({
    from: 'shop@mail.example.com',
    to: 'a***@example.org',
    recipients: { to: [{ email: 'a***@example.org', name: 'a***@example.org' }], cc: [] },
    subject: 'For a***@example.org',
    html: '<p>Dear a***@example.org</p>',
    links: [{ url: 'https://shop.example/?u=a***@example.org', text: 'a***@example.org' }],
    events: [{ type: 'delivery', at: 5 }],
  });
});

test('headers are masked in name and value, and their encoded words are written again', () => {
  expect(maskedMail().headers.slice(0, 3)).toEqual([
    ['To', 'a***@example.org'],
    ['Subject', `=?UTF-8?B?${base64('Für a***@example.org')}?= (a***@example.org)`],
    ['X-a***@example.org', 'x'],
  ]);
});

test('attachments have a masked name, and no content', () => {
  expect(maskedMail().attachments).toEqual([
    {
      filename: 'a***@example.org.txt',
      type: 'text/plain',
      bytes: 6,
      inline: false,
      contentId: null,
      content: null,
    },
    { filename: 'b.png', type: 'image/png', bytes: 6, inline: true, contentId: 'b', content: null },
  ]);
});

const PNG = 'iVBORw0KGgoAAAANSUhEUg==';
/** A PNG with text in its bytes, in base64 with line breaks, as in a MIME message. */
const pngWith = (text: string) =>
  Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1').toString('base64').replace(/.{16}/g, '$&\r\n');
const contentOf = (file: object) =>
  maskedMail({
    attachments: [{ ...MAIL.attachments[1], type: 'image/png', contentId: 'b', content: PNG, ...file }],
  }).attachments[0]?.content;

test.each([
  ['a PNG', PNG, 'image/png'],
  ['a JPEG', '/9j/4AAQSkZJRg==', 'image/jpeg'],
  ['a GIF', 'R0lGODlhAQABAAAAACw=', 'image/gif'],
  ['a WebP', 'UklGRhoAAABXRUJQ', 'image/webp'],
  ['a PNG with text, in lines', pngWith('made by a camera of 2019'), 'image/png'],
])('%s that the HTML shows is kept', (_name, content, type) => {
  expect(contentOf({ content, type })).toBe(content);
});

test.each([
  ['that no HTML can show: it has no content id', { contentId: null }],
  ['of another type', { type: 'image/svg+xml' }],
  ['whose type only contains that of a picture', { type: 'x-image/png' }],
  ['whose type only begins as that of a picture', { type: 'image/png2' }],
  ['that is not what its type says', { content: base64('secret') }],
  ['with a picture further behind', { content: `AAAA${PNG}` }],
  ['with an address in its bytes', { content: pngWith(`made by ${ADDRESS}`) }],
])('a picture %s loses its content', (_name, file) => {
  expect(contentOf(file)).toBeNull();
});

test('the source is written from the masked email: its headers but those of bodies, its bodies and its attachments', () => {
  const source = maskedMail().source ?? '';
  const [head = ''] = source.split('\r\n\r\n');
  expect(head).toContain('To: a***@example.org\r\n');
  expect(head).toContain('X-Content-Of: kept\r\nMIME-Version-Of: kept\r\n');
  expect(head.match(/^MIME-Version: .*$/gm)).toEqual(['MIME-Version: 1.0']);
  expect(head.match(/^Content-Type: /gm)).toHaveLength(1);
  expect(source).not.toMatch(/ann@|boundary=old|The old source/);
  expect(source).not.toContain(base64('secret'));
  const decoded = source.replace(/^[\w+/=]{20,}$/gm, (line) => Buffer.from(line, 'base64').toString());
  expect(decoded).toContain('Hello a***@example.org');
  expect(decoded).toContain('<p>Dear a***@example.org</p>');
  expect(source.match(/^Content-Disposition: \w+/gm)).toEqual([
    'Content-Disposition: attachment',
    'Content-Disposition: inline',
  ]);
});

test('an email without a source gets none', () => {
  expect(maskedMail({ source: null }).source).toBeNull();
});

test('the other parts of a report are masked too, JSON in them text by text', () => {
  const details = {
    headers: [['x-to', ADDRESS]],
    body: `{"to":"ann\\u0040example.org"}`,
    responseBody: null,
  };
  const data = maskedData({
    mails: [MAIL],
    requests: [{ path: '/contacts/ann%40example.org', query: '', details }],
    posts: [{ body: '{"email":"zoe@example.net"}', at: 5 }],
    findings: [{ message: `${ADDRESS} and zoe@example.net` }],
  });
  expect(data).toMatchObject({
    addresses: 'masked',
    requests: [
      {
        path: '/contacts/a***%40example.org',
        details: {
          headers: [['x-to', 'a***@example.org']],
          body: '{"to":"a***@example.org"}',
          responseBody: null,
        },
      },
    ],
    posts: [{ body: '{"email":"z***@example.net"}', at: 5 }],
    findings: [{ message: 'a***@example.org and z***@example.net' }],
  });
});
