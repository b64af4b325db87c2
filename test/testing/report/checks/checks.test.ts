import { basename } from 'node:path';
import { readdir, readFile } from 'node:fs/promises';
import { oneClickUnsubscribe } from 'email-platform';
import { describe, expect, test } from 'vitest';
import type { ReportMail } from '../../../../src/testing/report/data/data.ts';
import { CHECK_NAMES } from '../../../../src/testing/report/checks/all.ts';
import { findingsOf, type CheckOptions } from '../../../../src/testing/report/collect/findings.ts';
import { saidIn } from '../../../../src/testing/report/collect/mail-of.ts';

const GOOD_HTML = `<!doctype html><html lang="en"><head><title>Your order</title></head><body>
<p>Hello Ann,</p><p>Your order 17 is on its way.</p>
<p><img src="https://mail.example.com/logo.png" alt="The Gardeners" width="120"></p>
<p><a href="https://shop.example.com/orders/17">Your order</a></p>
<p><a href="https://mail.example.com/unsubscribe/17">Unsubscribe</a></p>
<img src="https://mail.example.com/open/17" width="1" height="1"></body></html>`;

const GOOD: ReportMail = {
  id: '1',
  kind: 'template:Receipt',
  at: 0,
  clockAt: 0,
  stream: 'bulk',
  from: 'hello@mail.example.com',
  fromName: 'The Gardeners',
  to: 'ann@example.org',
  toName: 'Ann',
  field: 'to',
  recipients: { to: [{ email: 'ann@example.org', name: 'Ann' }], cc: [] },
  replyTo: null,
  preview: 'Hello Ann,',
  subject: 'Your order 17',
  html: GOOD_HTML,
  text: 'Hello Ann,\n\nYour order 17 is on its way: https://shop.example.com/orders/17\n\nUnsubscribe: https://mail.example.com/unsubscribe/17\n',
  headers: [],
  source: null,
  attachments: [],
  links: [],
  template: { name: 'Receipt', missing: [], unused: [] },
  category: null,
  events: [],
  request: null,
};

const file = (filename: string): ReportMail['attachments'][number] => ({
  filename,
  type: 'application/pdf',
  bytes: 1,
  inline: false,
  contentId: null,
  content: null,
});

const KINDS = [{ id: GOOD.kind, name: 'Receipt', by: 'template', count: 1 }] as const;

/** The findings about mails that were all sent between two resets. */
const found = (mails: readonly ReportMail[], options: CheckOptions = {}) =>
  findingsOf({ mails, kinds: KINDS }, () => 1, options);
const inHtml = (from: string, to: string): Partial<ReportMail> => ({ html: GOOD_HTML.replace(from, to) });

const asText = (text: string): ReportMail => ({
  ...GOOD,
  html: null,
  text: `${text}\n\nUnsubscribe: https://a.example/unsubscribe`,
});

test('a good email has no findings', () => {
  expect(found([GOOD])).toEqual({ findings: [], notes: [] });
});

const MUTATIONS: readonly [string, Partial<ReportMail>, check: string, level: string, message: string][] = [
  [
    'a misspelt variable',
    { template: { name: 'Receipt', missing: ['name'], unused: ['nmae'] } },
    'variables',
    'error',
    '{{name}} was empty; the call passed `nmae`, which the template does not use',
  ],
  [
    'a variable too many',
    { template: { name: 'Receipt', missing: [], unused: ['city', 'zip'] } },
    'variables',
    'warn',
    'The call passed `city` and `zip`, which the template does not use',
  ],
  [
    'a placeholder',
    { subject: 'Your order {{ id }}' },
    'left-over',
    'error',
    '{{ id }} is left over in the subject',
  ],
  [
    'a missing name',
    inHtml('Hello Ann,', 'Hello undefined,'),
    'undefined',
    'error',
    '"Hello undefined," in the text',
  ],
  [
    'an object in the subject',
    { subject: 'Your order [object Object]' },
    'undefined',
    'error',
    '"Your order [object Object]" in the subject',
  ],
  [
    'a link to nothing but a sign',
    inHtml('https://shop.example.com/orders/17', '#'),
    'links',
    'error',
    'The link "Your order" has no address',
  ],
  [
    'an empty link',
    inHtml('https://shop.example.com/orders/17', ''),
    'links',
    'error',
    'The link "Your order" has no address',
  ],
  [
    'a link of this machine',
    inHtml('https://shop.example.com', 'http://localhost:3000'),
    'links',
    'error',
    'The link "Your order" leads to http://localhost:3000/orders/17, which only this machine has',
  ],
  [
    'a link without encryption',
    inHtml('https://shop.example.com', 'http://shop.example.com'),
    'links',
    'warn',
    'The link "Your order" leads to http://shop.example.com/orders/17, without encryption',
  ],
  [
    'a link with null in its path',
    inHtml('/orders/17', '/orders/null'),
    'undefined',
    'error',
    '"/orders/null" in a link',
  ],
  [
    'a placeholder in the preview text',
    inHtml('<p>Hello', '<div style="display:none">Hi {{name}}, it is on its way</div><p>Hello'),
    'left-over',
    'error',
    '{{name}} is left over in the preview text',
  ],
  [
    'a placeholder in the place of an image',
    inHtml('https://mail.example.com/logo.png', '{{logo}}'),
    'left-over',
    'error',
    '{{logo}} is left over in the address of an image',
  ],
  [
    'a template literal in quotation marks',
    { subject: 'Your order ${order.id}' },
    'left-over',
    'error',
    '${order.id} is left over in the subject',
  ],
  [
    'a template literal in a link',
    inHtml('/orders/17', '/orders/$%7Bid%7D'),
    'left-over',
    'error',
    '${id} is left over in a link',
  ],
  [
    'a template literal with a call',
    { subject: 'Hello ${user.getName()}' },
    'left-over',
    'error',
    '${user.getName()} is left over in the subject',
  ],
  [
    'an empty token in a link',
    inHtml('/orders/17', '/orders/17?lang=&amp;reset_token='),
    'undefined',
    'warn',
    '`reset_token=` is empty in a link',
  ],
  [
    'a date of Luxon',
    { subject: 'Due on Invalid DateTime' },
    'undefined',
    'error',
    '"Due on Invalid DateTime" in the subject',
  ],
  [
    'a date of Moment',
    { subject: 'Due: Invalid date' },
    'undefined',
    'warn',
    '"Due: Invalid date" in the subject',
  ],
  [
    'a placeholder as the sender',
    { fromName: '{{shop}}' },
    'left-over',
    'error',
    '{{shop}} is left over in the name of the sender',
  ],
  [
    'a missing name in the preview text',
    inHtml(
      '<p>Hello',
      '<span style="display:none;max-height:0">Hi undefined, it is on its way</span><p>Hello',
    ),
    'undefined',
    'error',
    '"Hi undefined, it is" in the preview text',
  ],
  [
    'an invalid date',
    inHtml('is on its way', 'of Invalid Date'),
    'undefined',
    'error',
    '"17 of Invalid Date." in the text',
  ],
  [
    'a promise',
    inHtml('Hello Ann', 'Hello [object Promise]'),
    'undefined',
    'error',
    '"Hello [object Promise]," in the text',
  ],
  [
    'a sender without a name',
    { fromName: 'undefined' },
    'undefined',
    'error',
    '"undefined" is the name of the sender',
  ],
  [
    'a sender of answers without a name',
    { replyTo: { email: 'help@example.com', name: 'null' } },
    'undefined',
    'error',
    '"null" is the name in Reply-To',
  ],
  [
    'a recipient without a name',
    { recipients: { to: [{ email: 'ann@example.org', name: 'undefined undefined' }], cc: [] } },
    'undefined',
    'error',
    '"undefined undefined" is the name of a recipient',
  ],
  [
    'a file without a name',
    { attachments: [file('invoice-undefined.pdf')] },
    'undefined',
    'error',
    '"invoice-undefined.pdf" is the name of a file',
  ],
  [
    'a greeting without a name',
    inHtml('Hello Ann,', 'Hello ,'),
    'undefined',
    'warn',
    'A greeting without a name in the text: "Hello ,"',
  ],
  [
    'a link of the text with a value',
    {
      text: 'Confirm: https://shop.example.com/confirm?token=undefined\nUnsubscribe: https://a.example/unsubscribe',
    },
    'undefined',
    'error',
    '"/confirm?token=undefined" in a link',
  ],
  [
    'an address with a value',
    inHtml('https://shop.example.com/orders/17', 'mailto:undefined'),
    'undefined',
    'error',
    '"mailto:undefined" in a link',
  ],
  [
    'an image with a value',
    inHtml('/logo.png', '/undefined'),
    'images',
    'error',
    'An image is at "https://mail.example.com/undefined"',
  ],
  [
    'a subject that is escaped',
    { subject: 'Order of Ann O&#x27;Neil &amp; Co' },
    'escaped',
    'warn',
    '"Order of Ann O&#x27;Neil &amp; Co" in the subject is escaped once too often',
  ],
  [
    'a text that is escaped',
    { text: 'Fish &amp; Chips\nUnsubscribe: https://a.example/unsubscribe' },
    'escaped',
    'warn',
    '"Fish &amp; Chips" in the text part is escaped once too often',
  ],
  [
    'HTML that is escaped twice',
    inHtml('Hello Ann', 'Hello Fish &amp;amp; Chips'),
    'escaped',
    'warn',
    '"Hello Fish &amp; Chips," in the text is escaped once too often',
  ],
  [
    'tags that are shown',
    inHtml('Hello Ann,', '&lt;b&gt;Hello&lt;/b&gt; Ann,'),
    'escaped',
    'warn',
    '"<b>Hello</b> Ann," in the text is a tag that is shown as text',
  ],
  [
    'UTF-8 that was read as Latin-1',
    inHtml('Hello Ann', 'GrÃ¼ÃŸe an Ann'),
    'escaped',
    'warn',
    '"GrÃ¼ÃŸe an Ann," in the text was read in the wrong encoding',
  ],
  [
    'an empty email',
    { html: null, text: ' ', stream: 'transactional' },
    'empty',
    'error',
    'The email is empty: a reader sees no text, no image and no file',
  ],
  [
    'a link into a network',
    inHtml('https://shop.example.com', 'http://web:3000'),
    'links',
    'error',
    'The link "Your order" leads to http://web:3000/orders/17, which only the own network has',
  ],
  [
    'a relative image',
    inHtml('https://mail.example.com/logo.png', '/static/logo.png'),
    'images',
    'error',
    'An image is at "/static/logo.png", which is a relative URL',
  ],
  [
    'an image of this machine',
    inHtml('https://mail.example.com/logo.png', 'http://localhost:3000/logo.png'),
    'images',
    'error',
    'An image is at http://localhost:3000/logo.png, which only this machine has',
  ],
  [
    'an image without an address',
    inHtml('https://mail.example.com/logo.png', ''),
    'images',
    'error',
    'An image has no address',
  ],
  [
    'an image whose part is missing',
    inHtml('https://mail.example.com/logo.png', 'cid:logo'),
    'images',
    'error',
    'An image is at "cid:logo", and no attachment has this id',
  ],
  [
    'an image in a style of this machine',
    inHtml('<body>', '<body style="background:url(&quot;http://127.0.0.1/a.png&quot;)">'),
    'images',
    'error',
    'An image in a style is at http://127.0.0.1/a.png, which only this machine has',
  ],
  [
    'a relative image in a style sheet',
    inHtml('</head>', '<style>td{background-image:url(bg.png)}</style></head>'),
    'images',
    'error',
    'An image in a style is at "bg.png", which is a relative URL',
  ],
  [
    'a relative background',
    inHtml('<body>', '<body><table background="bg.png"><tr><td>x</td></tr></table>'),
    'images',
    'error',
    'An image in `background` is at "bg.png", which is a relative URL',
  ],
  [
    'a relative image in srcset',
    inHtml('logo.png"', 'logo.png" srcset="https://mail.example.com/logo.png 1x, /logo@2x.png 2x"'),
    'images',
    'error',
    'An image in `srcset` is at "/logo@2x.png", which is a relative URL',
  ],
  [
    'an image without encryption',
    inHtml('https://mail.example.com/logo.png', 'http://mail.example.com/logo.png'),
    'images',
    'warn',
    'An image is at http://mail.example.com/logo.png, without encryption',
  ],
  [
    'an image of a network',
    inHtml('https://mail.example.com/logo.png', 'https://192.168.1.20/logo.png'),
    'images',
    'warn',
    'An image is at https://192.168.1.20/logo.png, which only the own network has',
  ],
  [
    'a part that no image uses',
    { attachments: [{ ...file('logo.png'), inline: true, contentId: 'logo' }] },
    'images',
    'warn',
    'The inline attachment logo.png is used by no `cid:logo`',
  ],
  [
    'HTML as the text part',
    { text: '<p>Hello <b>Ann</b></p><a href="https://a.example/unsubscribe">Unsubscribe</a>' },
    'text-part',
    'warn',
    'The text part is HTML, which is shown with its tags',
  ],
  ['no text part', { text: null }, 'text-part', 'warn', 'No text part beside the HTML'],
  ['a blank text part', { text: ' \n' }, 'text-part', 'warn', 'No text part beside the HTML'],
  [
    'an SVG element',
    inHtml('<p>Hello', '<svg></svg><p>Hello'),
    'images',
    'warn',
    'An SVG image, which many mail programs do not show: an <svg> element',
  ],
  [
    'large HTML',
    inHtml('</body>', `<!-- ${'x'.repeat(118 * 1024 - GOOD_HTML.length)} --></body>`),
    'size',
    'warn',
    '118 kB of HTML; some mail programs cut at 102 kB',
  ],
  [
    'an image without alt',
    inHtml(' alt="The Gardeners"', ''),
    'alt',
    'warn',
    '1 image without `alt`: https://mail.example.com/logo.png',
  ],
  [
    'an SVG image',
    inHtml('logo.png', 'logo.svg'),
    'images',
    'warn',
    'An SVG image, which many mail programs do not show: https://mail.example.com/logo.svg',
  ],
  [
    'bulk whose own header has no partner',
    { headers: [['list-unsubscribe', '<https://a.example/u?t=1>, <mailto:a@a.example>']] },
    'unsubscribe',
    'warn',
    'List-Unsubscribe without List-Unsubscribe-Post: providers show no one-click button (oneClickUnsubscribe makes both headers)',
  ],
  [
    'bulk whose own header has no https address',
    { headers: [['List-Unsubscribe', '<mailto:a@a.example>, <http://a.example/u>']] },
    'unsubscribe',
    'warn',
    'No https address in List-Unsubscribe: providers have nowhere to post the one click (oneClickUnsubscribe makes both headers)',
  ],
  [
    'a promise of one click without an address, on each stream',
    { stream: 'transactional', headers: [['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click']] },
    'unsubscribe',
    'warn',
    'No https address in List-Unsubscribe: providers have nowhere to post the one click (oneClickUnsubscribe makes both headers)',
  ],
  [
    'bulk without a link to unsubscribe',
    {
      html: GOOD_HTML.replace(/<p><a href="[^"]*">Unsubscribe<\/a><\/p>/, ''),
      text: 'Hello Ann, your order 17 is on its way.',
    },
    'unsubscribe',
    'warn',
    'Bulk mail without a link to unsubscribe in its text',
  ],
];

test('the header that the service adds is not a link of the email', () => {
  const list = `<http://127.0.0.1:4010/reader/unsubscribe/${'1'.repeat(36)}/${'a'.repeat(32)}>`;
  const { findings } = found([{ ...GOOD, ...MUTATIONS.at(-1)?.[1], headers: [['List-Unsubscribe', list]] }]);
  expect(findings.map(({ check }) => check)).toEqual(['unsubscribe']);
});

test.each(MUTATIONS)('%s is found by the check that names it', (_, change, check, level, message) => {
  const mail = { ...GOOD, ...change };
  const { findings } = found([mail]);
  expect(findings).toEqual([{ level, check, kind: 'Receipt', message, ids: ['1'] }]);
  expect(found([mail], { checks: { [check]: false } }).findings).toEqual([]);
});

test('HTML may have 102 kB, in bytes', () => {
  const ofBytes = (bytes: number): ReportMail => {
    const [start, end] = [`${GOOD_HTML}<!--ü`, '-->'];
    const rest = bytes - new TextEncoder().encode(start + end).length;
    return { ...GOOD, html: `${start}${'x'.repeat(rest)}${end}` };
  };
  expect(found([ofBytes(102 * 1024)]).findings).toEqual([]);
  expect(found([ofBytes(102 * 1024 + 1)]).findings.map(({ check }) => check)).toEqual(['size']);
});

test('equal emails to one person between two resets are found', () => {
  const again = { ...GOOD, id: '2', to: 'Ann@example.org' };
  expect(found([again, GOOD]).findings).toEqual([
    {
      level: 'warn',
      check: 'duplicates',
      kind: 'Receipt',
      message: 'Ann@example.org got the same email twice between two resets',
      ids: ['2', '1'],
    },
  ]);
  // A day of the emulator's clock later, and with links of each recipient's own.
  const later = { ...again, clockAt: GOOD.clockAt + 86_400_000 };
  const linked = (digit: string, mail: ReportMail): ReportMail => ({
    ...mail,
    html: `${GOOD.html ?? ''}<a href="https://mail.test/reader/unsubscribe/${digit.repeat(36)}/${digit.repeat(32)}">Out</a>`,
  });
  for (const pair of [
    [later, GOOD],
    [linked('1', again), linked('2', GOOD)],
  ])
    expect(found(pair).findings.map(({ check, ids }) => [check, ids])).toEqual([['duplicates', ['2', '1']]]);
  const eras = new Map([
    ['1', 1],
    ['2', 2],
  ]);
  const apart = findingsOf({ mails: [again, GOOD], kinds: KINDS }, (id) => eras.get(id), {});
  expect(apart.findings).toEqual([]);
});

test.each<[string, Partial<ReportMail>]>([
  ['to another person', { to: 'bob@example.org' }],
  ['with another subject', { subject: 'Your order 18' }],
  ['with another text', { text: `${GOOD.text ?? ''} Order 18.` }],
  ['with another sender', { from: 'news@mail.example.com' }],
  ['with another file', { attachments: [file('invoice-18.pdf')] }],
  ['more than a day later', { clockAt: GOOD.clockAt + 86_400_001 }],
  ['two days later, as a reminder', { clockAt: GOOD.clockAt + 2 * 86_400_000 }],
])('an email %s is not a duplicate', (_, change) => {
  const { findings } = found([{ ...GOOD, id: '2', ...change }, GOOD]);
  expect(findings.filter(({ check }) => check === 'duplicates')).toEqual([]);
});

const checksFolder = new URL('../../../../src/testing/report/checks/', import.meta.url);

/** The levels of the checks that have tests of their own. */
const OTHERS: Readonly<Record<string, string>> = { duplicates: 'warn', unreadable: 'error' };

test('an email at which a check fails has this finding, and costs no other email its own', () => {
  const broken = Object.defineProperty({ ...GOOD, id: '2' }, 'template', {
    get: () => {
      throw new Error('out of room');
    },
  });
  const { findings } = found([broken, { ...GOOD, text: 'Hello undefined,' }]);
  expect(findings.map(({ check, ids }) => [check, ids])).toEqual([
    ['undefined', ['1']],
    ['unreadable', ['2']],
  ]);
});

describe('Each check of src/testing/report/checks/all.ts has', () => {
  test('a mutation in this file', () => {
    const named = [...MUTATIONS.map(([, , check]) => check), ...Object.keys(OTHERS)];
    expect(CHECK_NAMES.filter((name) => !named.includes(name))).toEqual([]);
  });

  test('emails in which it finds nothing, in this file', () => {
    const named = [...Object.keys(NEGATIVE), ...Object.keys(OTHERS)];
    expect(CHECK_NAMES.filter((name) => !named.includes(name))).toEqual([]);
  });

  test('a file in its folder, with its name', async () => {
    const all = await readdir(checksFolder, { recursive: true });
    const files = all
      .filter((file) => file.endsWith('.ts') && file !== 'all.ts')
      .map((file) => basename(file));
    expect(files.sort()).toEqual(CHECK_NAMES.map((name) => `${name}.ts`).sort());
  });

  test('a row in the table of docs/report.md, with its levels', async () => {
    const guide = await readFile(new URL('../../../../docs/report.md', import.meta.url), 'utf8');
    const [, table = ''] = /\n## Checks\n([^]*?)\n## /.exec(guide) ?? [];
    const rows = [...table.matchAll(/^\| `([\w-]+)` *\|.*\| *([\w; ]+?) *\|$/gm)].map(([, ...row]) => row);
    const levels = (name: string) =>
      new Set(MUTATIONS.flatMap(([, , check, level]) => (check === name ? level : [])));
    const wanted = CHECK_NAMES.map((name) => [name, OTHERS[name] ?? [...levels(name)].sort().join('; ')]);
    expect(rows).toEqual(wanted);
  });
});

const html = (body: string): Partial<ReportMail> => ({ html: GOOD_HTML.replace('<p>Hello Ann,</p>', body) });

/** What a careful person would not call a fault, by check. */
const NEGATIVE: Readonly<Record<string, readonly Partial<ReportMail>[]>> = {
  variables: [{ template: null }, { template: { name: 'Receipt', missing: [], unused: [] } }],
  'left-over': [
    html('<p>Write <code>{{name}}</code> where the name belongs.</p>'),
    html("<p>Use “{{name}}” or '{{name}}' in your template.</p>"),
    html('<pre>{{#each items}}{{/each}}</pre>'),
    html('<style>@media{.a{color:red}}</style>'),
    html('<p>A set {{1}, {2}} of sets is written like this: { {a} }</p>').html === null
      ? {}
      : html('<p>{ {a} }</p>'),
    { text: 'Write `{{name}}` there.\n\n```\n{{ code }}\n```\nUnsubscribe: https://a.example/unsubscribe' },
    {
      text: 'In Vue, {{ message }} prints a value; any JavaScript may be in {{ }}.\nhttps://a.example/unsubscribe',
    },
    { text: 'Write {{name}} there: parse() reads it.\nhttps://a.example/unsubscribe' },
    { text: 'parse() reads the variable ${HOME}.\nhttps://a.example/unsubscribe' },
    ...['{{\\attachment0 a}}', '{{{\\b x}}}', '{{\\*\\generator x;}}'].map((group) =>
      asText(`{\\rtf1 ${group}}`),
    ),
  ],
  escaped: [
    html('<p>Fish &amp; Chips, R&amp;D; AT&amp;T</p>'),
    { text: 'Write &amp; for an ampersand. Unsubscribe: https://a.example/unsubscribe' },
    html('<p>Write <code>&amp;amp;</code> for it, and “&amp;lt;” for another.</p>'),
    html('<p>a &lt; b and c &gt; d; i &lt;3 you</p>'),
    html('<p>São Paulo, Århus, Ångström, ÃO, Â, ÇA VA, naïve, “quoted” — and more…</p>'),
    { text: 'See https://a.example/?a=1&b=2 and `&amp;`. Unsubscribe: https://a.example/unsubscribe' },
    { subject: 'Fish & Chips <ann@example.org>' },
  ],
  empty: [
    { html: null, stream: 'transactional' },
    { text: null, stream: 'transactional', html: '<img src="https://a.example/a.png" alt="">' },
    { text: null, stream: 'transactional', html: '<pre>undefined</pre>' },
    { text: '', html: null, stream: 'transactional', attachments: [file('invite.ics')] },
  ],
  undefined: [
    html('<a href="https://a.example/?q=&amp;utm_term=&amp;promo_code=">Shop</a>'),
    { subject: 'Import failed: Invalid date' },
    { subject: 'Invalid date format' },
    ...[
      'The behavior is undefined.',
      'Undefined behavior is not what you want.',
      'The contract is null and void.',
      'Der Vertrag ist null und nichtig.',
      'Das kostet null Euro.',
      'A null value was refused; undefined values, too.',
      'What undefined means in our language',
      'We left it undefined.',
      'The function returns undefined or null.',
      'It said "undefined" on the label.',
      'Reject the null hypothesis.',
      'Nanny and Banana Nan bread',
      'nullable types, undefinedness, NaNoWriMo',
      'See https://docs.example.com/undefined-behavior',
      'Visit Null Island, and null.example.com',
      'Variables in an undefined state',
      'NaN is a number, and [object Object] is what you see.',
      'JSON has null but no undefined.',
      'Am Ende stand es null zu null.',
    ].map((text) => html(`<p>${text}</p>`)),
    html('<p>Bonjour !</p><p>Invalid Date format was the error.</p><p>It said "Invalid Date".</p>'),
    html('<div style="display:none">Undefined behavior, explained</div>'),
    { fromName: 'Nullable Ltd', attachments: [file('undefinedness.pdf'), file('nan-bread.pdf')] },
    {
      text: 'https://docs.example.com/undefined-behavior mailto:nully@example.com Unsubscribe: https://a.example/unsubscribe',
    },
    html('<p>Set it to <code>undefined</code>, or <kbd>null</kbd>.</p>'),
    html('<a href="https://docs.example.com/null-safety?type=nullable">Docs</a>'),
  ],
  links: [
    html(`<a href="http://127.0.0.1:4010/reader/unsubscribe/${'1'.repeat(36)}/${'2'.repeat(32)}">Out</a>`),
    ...['#top', '#Top', '#part%20one', '#part one', '#%', '#a%20b'].map((href) =>
      html(`<h1 id="part one">One</h1><i id="%"></i><i id="a%20b"></i><a href="${href}">Up</a>`),
    ),
    html('<a href="#terms">Terms</a><h2 id="terms">Terms</h2>'),
    html(
      '<a href="mailto:help@example.com">Help</a><a href="tel:+1555">Call</a><a href="myapp://open">App</a>',
    ),
    html('<a name="top">Top</a>'),
    ...['/', '', '#', '{{base}}', 'shop.example.com'].map((base) => ({
      html: `<base href="${base}">${GOOD_HTML}`,
    })),
    html(
      '<a href="https://100.20.1.1/">A</a><a href="https://172.15.0.1/">B</a><a href="https://a.internal.example/">C</a>',
    ),
    {
      ...html('<a href="/orders">Orders</a>'),
      html: `<base href="https://shop.example.com/">${GOOD_HTML.replace('https://shop.example.com/orders/17', '/orders/17')}`,
    },
    { text: 'Open `http://localhost:8080` there. Unsubscribe: https://a.example/unsubscribe' },
    { text: 'See www.example.com or example.org. Unsubscribe: https://a.example/unsubscribe' },
    { stream: 'sandbox', ...html('<a href="__unsubscribe_url__">Unsubscribe</a>') },
  ],
  'text-part': [
    { html: null },
    { html: null, text: null, stream: 'transactional' },
    {
      text: 'Use <b> for bold; a <- b -> c; write to <ann@example.org>. Unsubscribe: <https://a.example/unsubscribe>',
    },
    { text: 'The tag `<p>x</p>` is code. Unsubscribe: https://a.example/unsubscribe' },
    {
      text: "Thank you.\n--\nDon't email: <a href=mailto:x@lists.example.com> x </a>\nhttps://a.example/unsubscribe",
    },
    {
      text: `${'A line of a text about pages.\n'.repeat(40)}<b>a</b> <i>b</i> <u>c</u>\nhttps://a.example/unsubscribe`,
    },
  ],
  size: [inHtml('</body>', `<!-- ${'x'.repeat(100 * 1024 - GOOD_HTML.length)} --></body>`)],
  alt: [
    html('<img src="https://a.example/line.png" alt="">'),
    html('<img src="https://a.example/o" style="display:none">'),
    html('<img src="https://a.example/o" style="width:1px;height:1px">'),
    html('<img src="https://a.example/o" role="presentation">'),
    html('<img src="https://a.example/o" aria-hidden="true">'),
    html('<img src="https://a.example/o" hidden>'),
    html('<img src="https://a.example/o" width="1" height="40">'),
  ],
  images: [
    html('<img src="https://a.example/svg/logo.png?from=logo.svg" alt="Logo">'),
    html('<!--[if mso]><svg></svg><![endif]-->'),
    {
      ...html('<img src="cid:logo%40a" alt="Logo">'),
      attachments: [{ ...file('logo.png'), inline: true, contentId: '<logo@a>' }],
    },
    { attachments: [{ ...file('a.pdf'), contentId: 'apple-1' }] },
    ...['<a href="cid:terms">terms</a>', '<object data=" CID:terms"></object>'].map((use) => ({
      ...html(`<p>Read our ${use}.</p>`),
      attachments: [{ ...file('terms.pdf'), inline: true, contentId: 'terms' }],
    })),
    html(
      '<style>@font-face{font-family:a;src:url(a.woff2)} @import url("b.css"); p{background:url(https://a.example/a.png)}</style>',
    ),
    html('<p style="fill:url(#gradient);background-image:none">x</p>'),
    html('<img srcset="https://a.example/a.png 1x, https://a.example/b.png 2x" alt="Logo">'),
    {
      html: `<base href="https://shop.example.com/">${GOOD_HTML.replace('https://mail.example.com/logo.png', '/logo.png')}`,
    },
  ],
  unsubscribe: [
    { ...MUTATIONS.at(-1)?.[1], stream: 'transactional' },
    ...[
      'To unsubscribe, click <a href="https://news.example.com/x/8f2a">here</a>.',
      'You no longer want these mails? <a href="https://news.example.com/x/8f2a">Click here</a> to unsubscribe.',
      'If you no longer wish to get these, <a href="https://news.example.com/x/8f2a">leave</a>.',
      'Keine E-Mails mehr? <a href="https://news.example.com/x/8f2a">Hier klicken</a>.',
      'Pour vous désabonner, cliquez <a href="https://news.example.com/x/8f2a">ici</a>.',
      '配信停止は<a href="https://news.example.com/x/8f2a">こちら</a>',
      '수신거부는 <a href="https://news.example.com/x/8f2a">여기</a>를 누르세요',
    ].map((text) => ({ ...MUTATIONS.at(-1)?.[1], html: `<p>News.</p><p>${text}</p>` })),
    {
      ...MUTATIONS.at(-1)?.[1],
      headers: Object.entries(oneClickUnsubscribe('https://a.example/stop')),
    },
    { stream: 'transactional', headers: [['List-Unsubscribe', '<mailto:a@a.example>']] },
    { stream: 'transactional', headers: [['List-Unsubscribe', '<https://a.example/stop>']] },
    {
      headers: [
        [
          'List-Unsubscribe',
          `<http://127.0.0.1:4010/reader/unsubscribe/${'1'.repeat(36)}/${'a'.repeat(32)}>`,
        ],
        ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ],
    },
    { ...MUTATIONS.at(-1)?.[1], text: 'Vom Newsletter abmelden: https://a.example/abmelden' },
    html(`<a href="http://127.0.0.1:4010/reader/unsubscribe/${'1'.repeat(36)}/${'a'.repeat(32)}">here</a>`),
  ],
};

test.each(Object.entries(NEGATIVE))('%s finds nothing in correct emails', (check, mails) => {
  const messages = mails.flatMap((change) =>
    found([{ ...GOOD, ...change }])
      .findings.filter((one) => one.check === check)
      .map(({ message }) => message),
  );
  expect(messages).toEqual([]);
});

/** Puts a value into each place that the checks read. */
const PLACES: Readonly<Record<string, (value: string) => Partial<ReportMail>>> = {
  'the subject': (value) => ({ subject: `Due ${value}` }),
  'the preview text': (value) =>
    inHtml('<p>Hello Ann', `<div style="display:none">Due ${value}</div><p>Hello Ann`),
  'the text': (value) => inHtml('order 17 is', `order ${value} has left; it is`),
  'the text of an email without HTML': (value) => asText(`Your order ${value} has left.`),
  'the name of the sender': (value) => ({ fromName: value }),
  'the name in Reply-To': (value) => ({ replyTo: { email: 'help@example.com', name: value } }),
  'the name of a recipient': (value) => ({
    recipients: { to: [{ email: 'ann@example.org', name: value }], cc: [] },
  }),
  'the name of a file': (value) => ({ attachments: [file(`${value}.pdf`)] }),
  'a link': (value) => inHtml('/orders/17', `/orders/${value}`),
  'an encoded link': (value) => inHtml('/orders/17', `/100%/${encodeURIComponent(value)}`),
  'an encoded link of the text': (value) => asText(`See https://a.example/${encodeURIComponent(value)}`),
  'an image': (value) => inHtml('/logo.png', `/${value}`),
};

describe.each(Object.entries(PLACES))('In %s', (place, put) => {
  test.each([
    '{{name}}',
    '{{{ order.id }}}',
    '${name}',
    '${ order.id }',
    '${user.name ?? 0}',
    '${f({ a: 1 })}',
  ])('%s is left over', (value) => {
    const checks = found([{ ...GOOD, ...put(value) }]).findings;
    expect(checks.map(({ check, level }) => `${check} ${level}`)).toContain('left-over error');
  });

  test.each(['undefined', 'NaN', 'Invalid Date', 'Invalid DateTime', 'Invalid date', '[object Object]'])(
    '"%s" is a value of a program',
    (value) => {
      const { findings } = found([{ ...GOOD, ...put(value) }]);
      const check = place === 'an image' ? 'images' : 'undefined';
      expect(findings.map((one) => one.check)).toContain(check);
    },
  );
});

describe('An empty parameter of a link', () => {
  const levelsOf = (url: string) =>
    [inHtml('https://shop.example.com/orders/17', url), asText(`Open ${url}`)].map((change) =>
      found([{ ...GOOD, ...change }]).findings.map(({ level, message }) => `${level} ${message}`),
    );

  test.each([
    ...[
      'token',
      'resetToken',
      'reset_token',
      'access-token',
      'token_hash',
      't',
      'code',
      'oobCode',
      'key',
      'apiKey',
    ],
    ...[
      'sig',
      'X-Amz-Signature',
      'otp',
      'pin',
      'secret',
      'hash',
      'password',
      'ticket',
      'invite_code',
      'jwt',
      'auth',
    ],
  ])('that names a secret is a warning: %s', (name) => {
    for (const url of [`?${name}=`, `?lang=en&${name}=&x=1`, `?${name}=#top`, `#${name}=`])
      for (const found of levelsOf(`https://a.example/reset${url}`))
        expect(found).toEqual([`warn \`${name}=\` is empty in a link`]);
    expect(levelsOf(`https://a.example/reset?${name}=a`)).toEqual([[], []]);
  });

  test.each([
    'q',
    'lang',
    'utm_term',
    'promo_code',
    'country_code',
    'zipcode',
    'barcode',
    'keyword',
    'referral_code',
  ])('of another kind is not a finding: %s', (name) => {
    expect(levelsOf(`https://a.example/?${name}=&x=1`)).toEqual([[], []]);
  });
});

test.each([
  ...[
    'Hello <b>Ann</b>,',
    'Dear Ann,<br>your order<br>has shipped<br>',
    '<!-- --><p>Hi</p>',
    '  <p>Hi',
    '<h1>Hi</h1>',
  ],
  ...['<!DOCTYPE html>Hi', '<a href="https://a.example">a</a>, <a href="https://b.example">b</a>'],
])('A text that is HTML is found: %s', (text) => {
  expect(found([asText(text)]).findings.map(({ message }) => message)).toEqual([
    'The text part is HTML, which is shown with its tags',
  ]);
});

test.each(['a', 'b', 'p', 'div', 'span', 'h1'])('A text that quotes one element <%s> is not HTML', (tag) => {
  const lines = 'A line about the order of the beds.\n'.repeat(20);
  for (const text of [`${lines}<${tag} class="x">x</${tag}>`, `${lines}<${tag}>x</${tag}>${lines}`])
    expect(found([asText(text)]).findings).toEqual([]);
});

test.each([
  'Your order undefined has shipped.',
  'undefined, your order has shipped.',
  'Dear null,',
  'Total: NaN €',
  'Order #undefined',
  'Status: undefined',
  'Hello undefined undefined!',
  '$NaN',
  'An invoice from undefined',
])('a value of a program is an error: %s', (text) => {
  const { findings } = found([
    { ...GOOD, html: null, text: `${text}\n\nUnsubscribe: https://a.example/unsubscribe` },
  ]);
  expect(findings).toMatchObject([{ check: 'undefined', level: 'error' }]);
});

/** Emails about programs: what stands where a name, a number or a date would is a fault in them, too. */
const PROGRAMS = [
  'The function parse() is faster now.',
  'In the console, `null` is grey.',
  'Remember that undefined and null differ.',
  'ReferenceError: x is not defined',
];

test.each([
  'Total: NaN',
  'Due date: Invalid Date',
  'Customer: [object Object]',
  'Amount due:   undefined',
  'Balance: $undefined',
  'You pay €NaN today.',
  'Postage of NaN kr is added.',
  'Hello undefined,',
  'Salut undefined !',
  'Welcome to undefined',
  'Hola undefined:',
  'undefined',
  'undefined 様',
  'Seats: 2 | Row: null | Gate: B',
])('%s is a fault in an email about programs, too', (line) => {
  for (const about of PROGRAMS) {
    const { findings } = found([asText(`${about}\n\n${line}`)]);
    expect(findings, about).toMatchObject([{ check: 'undefined', level: 'error' }]);
  }
});

test.each([
  'Your sort() returns undefined here.',
  'A missing key is null.',
  'undefined is not an object in this engine.',
  'Never compare with NaN, as isNaN() exists for that.',
  'Cannot read properties of undefined.',
  'new Date("") prints Invalid Date in all browsers, and String({}) gives [object Object].',
  'Watch out: undefined can be assigned a value in old engines, unlike null.',
  'El valor es undefined si no hay return(), y null si lo pones.',
])('a sentence about values is not a fault: %s', (line) => {
  expect(found([asText(`${PROGRAMS[0]}\n\n${line}`)]).findings).toEqual([]);
});

test.each([
  'Your JSON export of undefined has begun.',
  'The function on Invalid Date is sold out.',
  'Our python exhibit opens at undefined.',
  'Your order undefined arrives on Invalid Date.',
  'Your parcel from undefined weighs NaN kilos.',
  'Lina, undefined has sent you a photo.',
  'You signed in from undefined, null.',
  'Your book(s) from undefined have arrived.',
])('a word of programs makes no email one about programs: %s', (line) => {
  expect(found([asText(line)]).findings).toContainEqual(
    expect.objectContaining({ check: 'undefined', level: 'error' }),
  );
});

test('lines that are set in are checked, except in an email about programs', () => {
  const receipt =
    'Receipt\n\n    Books   2   {{price}}\n\tTotal   undefined EUR\n    Pay: http://localhost:3000/pay';
  const checksOf = (text: string) => found([asText(text)]).findings.map(({ check }) => check);
  expect(checksOf(receipt).toSorted()).toEqual(['left-over', 'links', 'undefined']);
  expect(checksOf(receipt.replaceAll(/^\s+/gm, '    > '))).toContain('left-over');
  expect(checksOf('You wrote:\n\n> Total   undefined EUR {{price}}\n\nThank you.')).toEqual([]);
  const program = 'Call `{{name}}` so:\n\n    Hello {{name}}, you owe undefined';
  expect(checksOf(program)).toEqual([]);
  expect(checksOf(`${program}\n    Try it: http://localhost:3000/try`)).toEqual(['links']);
  expect(checksOf(`${program}\n    at run (http://localhost:3000/try.js:3:17)`)).toEqual([]);
});

/** Bulk mail with a footer, as HTML and as text. */
const bulkWith = (words: string, link: string, url = 'https://news.example.com/x/8f2a'): ReportMail[] => [
  {
    ...GOOD,
    text: null,
    html: `<p>New books.</p><p><a href="https://shop.example.com/new">See them</a></p><p>${words} <a href="${url}">${link}</a></p>`,
  },
  { ...GOOD, html: null, text: `New books.\n\nhttps://shop.example.com/new\n\n${words} ${link}: ${url}` },
];
const isMissed = (mail: ReportMail) => found([mail]).findings.some(({ check }) => check === 'unsubscribe');

test.each([
  ['Had enough? You can leave this list', 'any time'],
  ['You get these emails because you have an account.', 'Change that'],
  ['You would like to hear no more from us?', 'Tell us'],
  ['Sie erhalten diese Nachricht, weil Sie Kunde sind.', 'Ändern'],
  ['Du willst keine E-Mails von uns?', 'Hier entlang'],
  ['Vous ne souhaitez pas recevoir nos lettres ?', 'Par ici'],
  ['¿Prefiere no recibir este boletín?', 'Pulse'],
  ['Preferisce non ricevere questa lettera?', 'Prema qui'],
  ['Caso não queira receber mais mensagens,', 'clique'],
  ['Wilt u dit niet meer ontvangen?', 'Klik'],
  ['Vill du inte få fler brev?', 'Klicka'],
  ['Nie chcesz otrzymywać listów?', 'Kliknij'],
  ['Не хотите получать письма?', 'Нажмите'],
  ['今後メールを受信しない方は', 'こちら'],
  ['如果不希望收到邮件', '点击'],
  ['Bu e-postaları almak istemiyor musunuz?', 'Tıklayın'],
  ['Vous recevez ce message car vous êtes client.', 'Gérer'],
])('a footer tells how to get no more emails: %s', (words, link) => {
  expect(bulkWith(words, link).filter(isMissed)).toEqual([]);
});

test.each([
  'optout',
  'opt-out',
  'preferences',
  'abmelden',
  'desinscription',
  'darse-de-baja/unsub',
  'afmelden',
])('the address of a link says so: /%s', (path) => {
  expect(bulkWith('Any time:', 'here', `https://news.example.com/${path}?u=1`).filter(isMissed)).toEqual([]);
});

test.each([
  ['Follow us', 'on the web'],
  ['Questions about your order?', 'Write to us'],
  ['Cancelar tu reserva es gratis', 'aquí'],
  ['Puoi annullare la prenotazione', 'qui'],
  ['Subscribe to our channel', 'now'],
  ['Garden House, 12 Mill Lane, Bath', 'Map'],
  ['If you did not get your parcel,', 'call us'],
  ['Not sure what to read? See our list', 'here'],
])('a footer without a way out is one finding: %s', (words, link) => {
  expect(bulkWith(words, link).map(isMissed)).toEqual([true, true]);
});

test('links under the site are counted, and reported once', () => {
  const mail = { ...GOOD, ...inHtml('https://shop.example.com', 'http://localhost:3000') };
  const site = 'http://localhost:3000';
  expect(found([mail, { ...mail, id: '2', to: 'ben@example.org' }], { site })).toEqual({
    findings: [],
    notes: ['2 links lead to http://localhost:3000, the site of these tests'],
  });
  expect(found([mail], { site: 'http://localhost:3001' }).findings).toHaveLength(1);
});

test('emails of one kind with the same fault are one finding', () => {
  const mails = ['1', '2', '3'].map((id) => ({ ...GOOD, id, to: `${id}@example.org`, text: null }));
  expect(found(mails).findings).toMatchObject([{ check: 'text-part', ids: ['1', '2', '3'] }]);
});

test('HTML that opens too many elements is read as empty', () => {
  const bomb = '<b>'.repeat(2000) + '<p>'.repeat(2000);
  expect(saidIn(bomb, null)).toEqual({ links: [], preview: '' });
  expect(found([{ ...GOOD, html: bomb }]).findings.map(({ check }) => check)).toEqual([]);
});

test.each([
  'http://web:3000',
  'https://192.168.1.20',
  'https://10.0.0.7',
  'https://172.20.0.2',
  'https://169.254.1.1',
  'https://100.100.1.1',
  'https://[fd00::1]',
  'http://host.docker.internal:3000',
  'https://shop.lan',
  'https://shop.default.svc',
  'http://LOCALHOST.',
  'http://127.1',
  'http://[::1]',
  'https://laptop.local',
])('a link to %s is an error', (origin) => {
  const { findings } = found([{ ...GOOD, ...inHtml('https://shop.example.com', origin) }]);
  expect(findings).toMatchObject([{ check: 'links', level: 'error' }]);
});

test('HTML without anything to see is empty, too', () => {
  const html = '<html><body><p>&nbsp;</p><div></div><!-- x --></body></html>';
  expect(found([{ ...GOOD, stream: 'transactional', html, text: null }]).findings).toMatchObject([
    { check: 'empty', level: 'error' },
    { check: 'text-part', level: 'warn' },
  ]);
});

test('an image under the site is not a fault', () => {
  const mail = { ...GOOD, ...inHtml('https://mail.example.com/logo.png', 'http://localhost:3000/logo.png') };
  expect(found([mail], { site: 'http://localhost:3000' }).findings).toEqual([]);
});
