import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EmailPlatform } from 'email-platform';
import { baseIssues, batchIssues, batchItemIssues } from '../../../src/resources/sending/batch-rules.ts';
import { sendIssues } from '../../../src/resources/sending/mail/rules.ts';

const from = { email: 'hello@example.com' };
const to = [{ email: 'ann@example.org' }];
const mail = { from, to, subject: 'Hi', text: 'Hi' };
const template_uuid = 'b2a7e9f4-6b1c-4b7e-9a55-0d3c2f1e8a77';

const asText = (issues: readonly EmailPlatform.Issue[]) =>
  issues.map(({ path, message }) => `${path} ${message}`);
/** What is wrong with a valid email once these fields are set. */
const withFields = (fields: object) => asText(sendIssues({ ...mail, ...fields }));

const ONE_LINE = 'must not contain a line break or a null character';

const ADDRESS = "'ann@example.org', 'Ann <ann@example.org>' or { email, name }";
const RECIPIENTS = `an address or an array of addresses: ${ADDRESS}`;
const NO_TEMPLATE = 'must not be given together with template_uuid';

describe('A field that other clients have', () => {
  test.each([
    ['attachments[0].path', 'pass `content: await openAsBlob(path)`'],
    ['attachments[0].contentType', 'it is `type`'],
    ['attachments[0].cid', 'it is `content_id`'],
    ['body', 'pass `text` or `html`'],
  ])('%s: the message says what it is here', (path, hint) => {
    const [field = '', ofFile] = path.split('.');
    const file = { content: 'aGk=', filename: 'a.txt', [ofFile ?? '']: 'a' };
    const fields = ofFile === undefined ? { [field]: 'a' } : { attachments: [file] };
    expect(withFields(fields)).toEqual([`${path} is not a known field; ${hint}`]);
    // What the hint names is a field.
    const [, named] = /^it is `(\w+)`$/.exec(hint) ?? [];
    const right = { content: 'aGk=', filename: 'a.txt', ...(named !== undefined && { [named]: 'a/b' }) };
    expect(withFields({ attachments: [right] })).toEqual([]);
  });
});

describe('An email', () => {
  test('with every field is accepted', () => {
    const attachments = [
      { content: 'aGk=', filename: 'a.txt', type: 'text/plain', disposition: 'inline', content_id: 'a' },
    ];
    const fields = {
      cc: to,
      bcc: to,
      reply_to: { email: 'help@example.com', name: 'Help' },
      html: '<p>Hi</p>',
      category: 'greeting',
      headers: { 'X-Order': '7', 'List-Unsubscribe': '<https://example.com>', 'Message-ID': '<a@b>' },
      custom_variables: { order: 7, is_new: true, name: 'Ann' },
      attachments,
    };
    expect(withFields(fields)).toEqual([]);
  });

  test('from a template is accepted', () => {
    const template_variables = { name: 'Ann', items: [{ n: 1 }] };
    expect(sendIssues({ from, to, template_uuid, template_variables })).toEqual([]);
  });

  test.each([['to'], ['cc'], ['bcc']])('to recipients in %s alone is accepted', (name) => {
    expect(sendIssues({ from, [name]: to, subject: 'Hi', html: 'Hi' })).toEqual([]);
  });

  test('without any field gets every issue at once', () => {
    expect(asText(sendIssues({}))).toEqual([
      "from is required, here or in the client's `defaults`",
      'to is required unless cc or bcc is given',
      'subject is required',
      'text is required unless html is given',
    ]);
  });

  test('with every field wrong gets every issue at once, and none contains a value', () => {
    const secret = 'hunter2\r\nBcc: eve@example.org';
    const issues = sendIssues({
      from: { email: secret, name: secret },
      to: [{ email: 'ann@example.org', name: secret }, secret],
      cc: secret,
      reply_to: { name: 'x' },
      subject: secret,
      html: 7,
      category: secret.repeat(99),
      template_uuid: secret,
      template_variables: secret,
      headers: { [secret]: 'x', 'X-A': secret, 'X-B': 1, BCC: 'x', 'X: y': 'x' },
      custom_variables: { secret: secret.repeat(99) },
      attachments: [{ content: 7, filename: secret, type: secret, disposition: secret, size: 1 }],
      replyTo: secret,
    });
    expect(asText(issues).sort()).toEqual(
      [
        `from.email ${ONE_LINE}`,
        `from.name ${ONE_LINE}`,
        `to[0].name ${ONE_LINE}`,
        `to[1] must be an address: ${ADDRESS}`,
        `cc must be ${RECIPIENTS}`,
        'reply_to.email is required',
        `subject ${ONE_LINE}`,
        'html must be a string',
        'category must be at most 255 characters',
        `category ${NO_TEMPLATE}`,
        'template_uuid must be a UUID',
        'template_variables must be an object',
        'headers.? is not a header name',
        `headers.X-A ${ONE_LINE}`,
        'headers.X-B must be a string',
        'headers.BCC is set by the service',
        'headers.? is not a header name',
        'custom_variables must be at most 1000 bytes as JSON',
        'attachments[0].content must be base64 text, bytes, a Blob or a web stream',
        `attachments[0].filename ${ONE_LINE}`,
        `attachments[0].type ${ONE_LINE}`,
        "attachments[0].disposition must be one of 'attachment', 'inline'",
        'attachments[0].size is not a known field',
        'replyTo is not a known field; did you mean `reply_to`?',
        'subject must not be given together with template_uuid',
        'html must not be given together with template_uuid',
      ].sort(),
    );
    expect(JSON.stringify(issues)).not.toContain('hunter2');
  });

  test.each([undefined, null, 'text', 7, []])('that is %o is refused', (params) => {
    expect(sendIssues(params)).toMatchObject([{ path: 'params' }]);
  });

  test.each(['subject', 'text', 'html', 'category'])('from a template is refused if it has a %s', (field) => {
    expect(asText(sendIssues({ from, to, template_uuid, [field]: 'Hi' }))).toEqual([
      `${field} must not be given together with template_uuid`,
    ]);
  });

  test('has no variables without a template', () => {
    expect(withFields({ template_variables: {} })).toEqual([
      'template_uuid is required with template_variables',
    ]);
  });

  test.each(['subject', 'text', 'html'])('is refused if its %s is empty', (field) => {
    expect(withFields({ [field]: '' })).toEqual([`${field} must not be empty`]);
  });
});

/** Every place in an email that becomes a header of it. */
const places: [string, (text: string) => object][] = [
  ['from.email', (text) => ({ from: { email: text } })],
  ['from.name', (text) => ({ from: { ...from, name: text } })],
  ['to[0].email', (text) => ({ to: [{ email: text }] })],
  ['cc[0].name', (text) => ({ cc: [{ ...from, name: text }] })],
  ['bcc[0].name', (text) => ({ bcc: [{ ...from, name: text }] })],
  ['reply_to.name', (text) => ({ reply_to: { ...from, name: text } })],
  ['subject', (text) => ({ subject: text })],
  ['headers.X-A', (text) => ({ headers: { 'X-A': text } })],
  ['attachments[0].filename', (text) => ({ attachments: [{ content: '', filename: text }] })],
  [
    'attachments[0].content_id',
    (text) => ({ attachments: [{ content: '', filename: 'a', content_id: text }] }),
  ],
];

describe('The text of an attachment', () => {
  const mailWith = (content: string) => withFields({ attachments: [{ content, filename: 'a.txt' }] });
  const REFUSED = [
    'attachments[0].content is text that is not base64: pass bytes, such as `await readFile(path)` or `new TextEncoder().encode(text)`',
  ];
  const lineOf = (length: number) => 'QUJD'.repeat(20).slice(0, length);

  test.each([
    'Invoice 7\n',
    'Invoice 7',
    'Invoice7\n',
    'Seeds',
    'aGVsbG8',
    'aGVs bG8=',
    ' aGVsbG8=',
    'aGVsbG8= ',
    'aGVs\nbG8=',
    'aGVs\r\nbG8=\r\n',
    'aGVsbG8=\t',
    'aGVsbG8=\u00a0',
    '\n',
    `${lineOf(60)}\n\n${lineOf(60)}`,
    `${lineOf(60)}\n${lineOf(60)}\n\n`,
    `${lineOf(56)}\n${lineOf(60)}`,
    `${lineOf(80)}\n${lineOf(60)}`,
    `${lineOf(60)}\n${lineOf(80)}`,
    `${lineOf(76)}\n${lineOf(75)}`,
    `${lineOf(76)} \n${lineOf(75)}`,
    `${lineOf(76)}\r${lineOf(76)}`,
  ])('%j is refused, in every kind of email', (content) => {
    expect(mailWith(content)).toEqual(REFUSED);
    const attachments = [{ content, filename: 'a.txt' }];
    const base = { attachments };
    expect(asText(batchIssues({ requests: [{ attachments }] }))).toEqual([`requests[0].${REFUSED[0]}`]);
    expect(asText(batchIssues({ base, requests: [{ to: 'ann@example.org' }] }))).toEqual([
      `base.${REFUSED[0]}`,
    ]);
    expect(asText(batchItemIssues({ attachments }, undefined, 'requests[3]'))).toEqual([
      `requests[3].${REFUSED[0]}`,
    ]);
  });

  test.each([
    '',
    'aGVsbG8=',
    'Invoices',
    `${lineOf(60)}\n${lineOf(60)}`,
    `${lineOf(76)}\r\n${lineOf(76)}\r\naGVsbG8=`,
    `${lineOf(64)}\n${lineOf(64)}\nQQ==\n`,
    `${lineOf(76)}\n`,
    'A'.repeat(4_000_000),
  ])('%.40j may be base64', (content) => {
    expect(mailWith(content)).toEqual([]);
  });

  test('that an encoder made is never refused, however it breaks lines', () => {
    const encoded = fc.tuple(
      fc.uint8Array({ maxLength: 400 }),
      fc.integer({ min: 15, max: 19 }).map((quarter) => quarter * 4),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
    );
    fc.assert(
      fc.property(encoded, ([bytes, length, end, ends]) => {
        const text = Buffer.from(bytes).toString('base64');
        const lines = text.match(new RegExp(`.{1,${length}}`, 'g')) ?? [''];
        const isOneShort = lines.length === 1 && text.length < 60;
        expect(mailWith(lines.join(end) + (ends && !isOneShort ? end : ''))).toEqual([]);
      }),
    );
  });
});

describe('Header injection is refused', () => {
  test.each(places)('a line break or null character in %s', (path, fields) => {
    for (const end of ['\r\n', '\n', '\r', '\0']) {
      expect(withFields(fields(`a${end}b`))).toEqual([`${path} ${ONE_LINE}`]);
    }
    expect(withFields(fields('a\tb é 🎉'))).toEqual([]);
  });

  test.each(['X-A\r\nBcc', 'X-A\n', 'X:Y', 'X Y', 'é', ''])('the header name %j', (name) => {
    expect(withFields({ headers: { [name]: 'x' } })).toEqual(['headers.? is not a header name']);
  });

  test.each(['From', 'TO', 'cc', 'Bcc', 'Subject', 'content-type', 'Received', 'DKIM-Signature'])(
    'the reserved header %s',
    (name) => {
      expect(withFields({ headers: { [name]: 'x' } })).toEqual([`headers.${name} is set by the service`]);
    },
  );
});

describe('Several reply addresses', () => {
  const reply_to = { email: 'help@example.com' };
  const header = 'headers.reply-To must not be given together with reply_to';

  test('are a header, which may not be beside reply_to', () => {
    const headers = { 'reply-To': 'a@x, b@y' };
    expect(withFields({ headers })).toEqual([]);
    expect(withFields({ headers, reply_to: null })).toEqual([]);
    expect(withFields({ headers, reply_to })).toEqual([header]);
    expect(withFields({ headers: { 'Reply-To': 'a@x\r\nBcc: b@y' } })).toEqual([
      `headers.Reply-To ${ONE_LINE}`,
    ]);
  });

  test.each<[object, object | undefined, string | undefined]>([
    [{ headers: { 'reply-To': 'a' } }, undefined, undefined],
    [{ headers: { 'reply-To': 'a' }, reply_to }, undefined, `requests[0].${header}`],
    [{ headers: { 'reply-To': 'a' } }, { reply_to }, `requests[0].${header}`],
    [
      { reply_to },
      { headers: { 'reply-To': 'a' } },
      'requests[0].reply_to must not be given together with a Reply-To header',
    ],
    [{ headers: {} }, { headers: { 'reply-To': 'a' }, reply_to: null }, undefined],
    [{ reply_to: null }, { headers: { 'reply-To': 'a' }, subject: 'x' }, undefined],
    [{}, { headers: { 'reply-To': 'a' }, reply_to }, `base.${header}`],
  ])('in a batch: %j with the base %j', (item, base, found) => {
    expect(asText(batchIssues({ base, requests: [item] }))).toEqual(found === undefined ? [] : [found]);
    if (found?.startsWith('base')) expect(asText(baseIssues(base))).toEqual([found]);
  });
});

describe('Text with several addresses is refused', () => {
  const text = 'ann@example.org; Ben <ben@example.org>';
  const list = 'must be one address: for several, pass an array';

  test('and it says what to pass', () => {
    expect(withFields({ to: text, cc: [text], bcc: [...to, text] })).toEqual([
      `to ${list}`,
      `cc[0] ${list}`,
      `bcc[1] ${list}`,
    ]);
    expect(withFields({ from: text })).toEqual(['from must be one address']);
    expect(withFields({ reply_to: text })).toEqual([
      "reply_to must be one address: for several, set the header 'Reply-To' in headers",
    ]);
  });

  test('in a batch as well, for it could not be sent', () => {
    expect(asText(batchIssues({ base: { from: text }, requests: [{ to: text }, { cc: [text] }] }))).toEqual([
      'base.from must be one address',
      `requests[0].to ${list}`,
      `requests[1].cc[0] ${list}`,
    ]);
  });
});

describe('Limits', () => {
  test.each([
    ['to', 1000, true],
    ['to', 1001, false],
    ['cc', 1001, false],
    ['bcc', 1001, false],
  ])('%s with %i recipients', (field, length, isAllowed) => {
    const issues = withFields({ [field]: Array.from({ length }, () => from) });
    expect(issues).toEqual(isAllowed ? [] : [`${field} must be at most 1000 addresses`]);
  });

  test('too many recipients, one of them wrong, are two issues', () => {
    expect(withFields({ to: [...Array.from({ length: 1000 }, () => from), { email: 7 }] })).toEqual([
      'to[1000].email must be a string',
      'to must be at most 1000 addresses',
    ]);
  });

  test.each([
    ['1000 bytes', 'x'.repeat(1000 - 8), true],
    ['1001 bytes', 'x'.repeat(1001 - 8), false],
    ['1000 bytes of emoji', '🎉'.repeat(248), true],
    ['500 letters of more than 1000 bytes', 'é'.repeat(500), false],
  ])('custom variables of %s', (_, v, isAllowed) => {
    const expected = isAllowed ? [] : ['custom_variables must be at most 1000 bytes as JSON'];
    expect(withFields({ custom_variables: { v } })).toEqual(expected);
  });

  test('a category may have 255 characters, and not one more', () => {
    expect(withFields({ category: '🎉'.repeat(255) })).toEqual([]);
    expect(withFields({ category: 'x'.repeat(256) })).toEqual(['category must be at most 255 characters']);
  });
});

describe('Not stricter than the service', () => {
  test.each<[string, object]>([
    ['an address without an @', { to: [{ email: 'ann' }] }],
    ['an empty list beside another', { cc: [], bcc: [] }],
    ['undefined, which is not sent', { cc: undefined, headers: undefined, html: undefined }],
    ['null', { cc: null, reply_to: null, html: null, headers: null, attachments: null, template_uuid: null }],
    ['no category with a template', { subject: null, text: null, template_uuid, category: null }],
    ['text that is no base64', { attachments: [{ content: '!!!!', filename: 'a' }] }],
    ['an uppercase UUID', { subject: null, text: null, template_uuid: template_uuid.toUpperCase() }],
    ['deep custom variables', { custom_variables: { deep: { er: [1] } } }],
    ['variables of a class', { subject: null, text: null, template_uuid, template_variables: new Date(0) }],
    [
      'a header of any other name',
      { headers: { 'Content-Transfer-Encoding': 'base64', Sender: 'a@b', Date: '' } },
    ],
  ])('%s', (_, fields) => {
    expect(withFields(fields)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['a Date', new Date(0)],
    ['NaN', NaN],
    ['Infinity', Infinity],
    ['a Map', new Map([['a', 1]])],
    ['a Set', new Set([1])],
    ['a URL', new URL('https://example.com')],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
  ])('a custom variable that JSON would change is refused: %s', (name, at) => {
    const advice = name === 'a Date' ? ', such as `date.toISOString()`' : '';
    expect(withFields({ custom_variables: { at, order: 7, paid: true, none: null } })).toEqual([
      `custom_variables.at must be text, a number or true or false${advice}`,
    ]);
  });

  test('variables that cannot be JSON are reported when the body is written', () => {
    expect(withFields({ custom_variables: { n: 1n } })).toEqual([]);
  });
});

describe('A batch', () => {
  test('with emails that the service would reject is left to the service', () => {
    const requests = [
      {},
      { subject: 7 },
      { to: [], headers: { From: 'x' }, cc: 'x', category: 'x'.repeat(999) },
    ];
    expect(batchIssues({ requests })).toEqual([]);
  });

  test('has no email with a field that the service would not read', () => {
    const requests = [
      {},
      { replyTo: from, from: { mail: 'x' } },
      { to: [...to, { address: 'x' }], attachments: [{ data: '' }] },
    ];
    expect(asText(batchIssues({ requests }))).toEqual([
      'requests[1].from.mail is not a known field; did you mean `email`?',
      'requests[1].replyTo is not a known field; did you mean `reply_to`?',
      'requests[2].to[1].address is not a known field; it is `email`',
      'requests[2].attachments[0].data is not a known field',
    ]);
  });

  test.each(places)('has no email with a line break in %s', (path, fields) => {
    for (const end of ['\r\n', '\n', '\r', '\0']) {
      const requests = [{}, fields(`a${end}b`)];
      expect(asText(batchIssues({ requests }))).toEqual([`requests[1].${path} ${ONE_LINE}`]);
      expect(asText(batchItemIssues(requests[1], undefined, 'requests[7]'))).toEqual([
        `requests[7].${path} ${ONE_LINE}`,
      ]);
    }
  });

  test('has no email with a line break in the name of a header', () => {
    expect(asText(batchIssues({ requests: [{ headers: { 'X-A\r\nBcc': 'x' } }] }))).toEqual([
      'requests[0].headers.? is not a header name',
    ]);
  });

  const template_variables = { name: 'Ann' };
  test.each<[string, object, object | undefined, boolean]>([
    ['in the email', { template_variables }, undefined, false],
    ['in the email, with another base', { template_variables }, { subject: 'Hi' }, false],
    ['in the base', {}, { template_variables }, false],
    [
      'in the email, which takes the template of the base away',
      { template_uuid: null },
      { template_uuid, template_variables },
      false,
    ],
    ['in the email, with a template', { template_variables, template_uuid }, undefined, true],
    ['in the email, with a template in the base', { template_variables }, { template_uuid }, true],
    ['in the base, with a template in the email', { template_uuid }, { template_variables }, true],
    ['nowhere', { template_variables: null }, { template_variables }, true],
  ])('variables without a template are refused: %s', (_, item, base, isFine) => {
    const refused = ['requests[0].template_uuid is required with template_variables'];
    expect(asText(batchIssues({ base, requests: [item] }))).toEqual(isFine ? [] : refused);
    expect(asText(batchItemIssues(item, base, 'requests[0]'))).toEqual(isFine ? [] : refused);
  });

  test.each<[unknown, string[]]>([
    [{}, ['requests is required']],
    [{ requests: [] }, ['requests must be 1 to 500 emails, or use batchAll']],
    [{ requests: Array.from({ length: 500 }, () => ({})) }, []],
    [
      { requests: Array.from({ length: 501 }, () => ({})) },
      ['requests must be 1 to 500 emails, or use batchAll'],
    ],
    [{ requests: 'many' }, ['requests must be an array']],
    [{ requests: [{}, 'two', null] }, ['requests[1] must be an object', 'requests[2] must be an object']],
    [{ requests: [{}], base: null, mails: [] }, ['mails is not a known field']],
    [{ requests: [{}], base: { to } }, ['base.to is not a known field']],
    [
      { requests: [], base: { from: 'x', headers: { 'X-A': 'a\nb' } } },
      [
        `base.from must be ${ADDRESS}`,
        `base.headers.X-A ${ONE_LINE}`,
        'requests must be 1 to 500 emails, or use batchAll',
      ],
    ],
  ])('has the expected issues (%#)', (params, expected) => {
    expect(asText(batchIssues(params))).toEqual(expected);
  });

  test('may have a base with any field of an email except its recipients', () => {
    expect(baseIssues(undefined)).toEqual([]);
    expect(baseIssues({ from, subject: 'Hi', text: 'Hi', template_uuid })).toEqual([]);
    expect(baseIssues({ from, subject: 'Hi', text: 'Hi', category: 'x' })).toEqual([]);
    expect(asText(baseIssues({ template_uuid, category: 'x' }))).toEqual([`base.category ${NO_TEMPLATE}`]);
    expect(asText(baseIssues({ bcc: to, subject: '' }))).toEqual([
      'base.subject must not be empty',
      'base.bcc is not a known field',
    ]);
  });
});
