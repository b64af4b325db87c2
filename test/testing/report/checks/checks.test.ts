import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { ReportMail } from '../../../../src/testing/report/data/data.ts';
import { CHECK_NAMES } from '../../../../src/testing/report/checks/all.ts';
import { findingsOf, type CheckOptions } from '../../../../src/testing/report/collect/findings.ts';
import { linksOf } from '../../../../src/testing/report/collect/mail-of.ts';

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
  to: 'ann@example.org',
  field: 'to',
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

const KINDS = [{ id: GOOD.kind, name: 'Receipt', by: 'template', count: 1 }] as const;

/** The findings about mails that were all sent between two resets. */
const found = (mails: readonly ReportMail[], options: CheckOptions = {}) =>
  findingsOf({ mails, kinds: KINDS }, () => 1, options);
const inHtml = (from: string, to: string): Partial<ReportMail> => ({ html: GOOD_HTML.replace(from, to) });

test('a good mail has no findings', () => {
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
    'warn',
    '"/orders/null" in a link',
  ],
  ['no text part', { text: null }, 'text-part', 'warn', 'No text part beside the HTML'],
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

test.each(MUTATIONS)('%s is found by the check that names it', (_, change, check, level, message) => {
  const mail = { ...GOOD, ...change };
  const { findings } = found([mail]);
  expect(findings).toEqual([{ level, check, kind: 'Receipt', message, ids: ['1'] }]);
  expect(found([mail], { checks: { [check]: false } }).findings).toEqual([]);
});

test('equal mails to one person between two resets are found', () => {
  const again = { ...GOOD, id: '2', to: 'Ann@example.org' };
  expect(found([again, GOOD]).findings).toEqual([
    {
      level: 'warn',
      check: 'duplicates',
      kind: 'Receipt',
      message: 'Ann@example.org got the same mail twice between two resets',
      ids: ['2', '1'],
    },
  ]);
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
  ['two days later, as a reminder', { clockAt: GOOD.clockAt + 2 * 86_400_000 }],
])('a mail %s is no duplicate', (_, change) => {
  const { findings } = found([{ ...GOOD, id: '2', ...change }, GOOD]);
  expect(findings.filter(({ check }) => check === 'duplicates')).toEqual([]);
});

const checksFolder = new URL('../../../../src/testing/report/checks/', import.meta.url);

describe('Each check of src/testing/report/checks/all.ts has', () => {
  test('a mutation in this file', () => {
    const named = [...MUTATIONS.map(([, , check]) => check), 'duplicates'];
    expect(CHECK_NAMES.filter((name) => !named.includes(name))).toEqual([]);
  });

  test('mails in which it finds nothing, in this file', () => {
    const named = [...Object.keys(NEGATIVE), 'duplicates'];
    expect(CHECK_NAMES.filter((name) => !named.includes(name))).toEqual([]);
  });

  test('a file beside it, with its name', async () => {
    const files = (await readdir(checksFolder)).filter((file) => file !== 'all.ts');
    expect(files.sort()).toEqual(CHECK_NAMES.map((name) => `${name}.ts`).sort());
  });

  test('a row in the table of docs/report.md, with its levels', async () => {
    const guide = await readFile(new URL('../../../../docs/report.md', import.meta.url), 'utf8');
    const [, table = ''] = /\n## Checks\n([^]*?)\n## /.exec(guide) ?? [];
    const rows = [...table.matchAll(/^\| `([\w-]+)` *\|.*\| *([\w; ]+?) *\|$/gm)].map(([, ...row]) => row);
    const levels = (name: string) =>
      new Set(MUTATIONS.flatMap(([, , check, level]) => (check === name ? level : [])));
    const wanted = CHECK_NAMES.map((name) => [
      name,
      name === 'duplicates' ? 'warn' : [...levels(name)].sort().join('; '),
    ]);
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
  ],
  undefined: [
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
    ].map((text) => html(`<p>${text}</p>`)),
    html('<p>Set it to <code>undefined</code>, or <kbd>null</kbd>.</p>'),
    html('<a href="https://docs.example.com/null-safety?type=nullable">Docs</a>'),
  ],
  links: [
    html('<a href="#terms">Terms</a><h2 id="terms">Terms</h2>'),
    html(
      '<a href="mailto:help@example.com">Help</a><a href="tel:+1555">Call</a><a href="myapp://open">App</a>',
    ),
    html('<a name="top">Top</a>'),
    {
      ...html('<a href="/orders">Orders</a>'),
      html: `<base href="https://shop.example.com/">${GOOD_HTML.replace('https://shop.example.com/orders/17', '/orders/17')}`,
    },
    { text: 'See www.example.com or example.org. Unsubscribe: https://a.example/unsubscribe' },
    { stream: 'sandbox', ...html('<a href="__unsubscribe_url__">Unsubscribe</a>') },
  ],
  'text-part': [{ html: null }, { html: null, text: null, stream: 'transactional' }],
  size: [inHtml('</body>', `<!-- ${'x'.repeat(100 * 1024 - GOOD_HTML.length)} --></body>`)],
  alt: [
    html('<img src="https://a.example/line.png" alt="">'),
    html('<img src="https://a.example/o" style="display:none">'),
    html('<img src="https://a.example/o" style="width:1px;height:1px">'),
    html('<img src="https://a.example/o" role="presentation">'),
  ],
  images: [
    html('<img src="cid:logo" alt="Logo">'),
    html('<img src="https://a.example/svg/logo.png?from=logo.svg" alt="Logo">'),
    html('<!--[if mso]><svg></svg><![endif]-->'),
  ],
  unsubscribe: [
    { ...MUTATIONS.at(-1)?.[1], stream: 'transactional' },
    { ...MUTATIONS.at(-1)?.[1], headers: [['List-Unsubscribe', '<https://a.example/stop>']] },
    { ...MUTATIONS.at(-1)?.[1], text: 'Vom Newsletter abmelden: https://a.example/abmelden' },
    html(`<a href="http://127.0.0.1:4010/reader/unsubscribe/${'1'.repeat(36)}/${'a'.repeat(32)}">here</a>`),
  ],
};

test.each(Object.entries(NEGATIVE))('%s finds nothing in mails that are right', (check, mails) => {
  const messages = mails.flatMap((change) =>
    found([{ ...GOOD, ...change }])
      .findings.filter((one) => one.check === check)
      .map(({ message }) => message),
  );
  expect(messages).toEqual([]);
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

test('links under the site are counted, and said once', () => {
  const mail = { ...GOOD, ...inHtml('https://shop.example.com', 'http://localhost:3000') };
  const site = 'http://localhost:3000';
  expect(found([mail, { ...mail, id: '2', to: 'ben@example.org' }], { site })).toEqual({
    findings: [],
    notes: ['2 links lead to http://localhost:3000, the site of these tests'],
  });
  expect(found([mail], { site: 'http://localhost:3001' }).findings).toHaveLength(1);
});

test('mails of one kind with the same fault are one finding', () => {
  const mails = ['1', '2', '3'].map((id) => ({ ...GOOD, id, to: `${id}@example.org`, text: null }));
  expect(found(mails).findings).toMatchObject([{ check: 'text-part', ids: ['1', '2', '3'] }]);
});

test('HTML that opens too many elements is read as empty', () => {
  const bomb = '<b>'.repeat(2000) + '<p>'.repeat(2000);
  expect(linksOf(bomb, null)).toEqual([]);
  expect(found([{ ...GOOD, html: bomb }]).findings.map(({ check }) => check)).toEqual([]);
});
