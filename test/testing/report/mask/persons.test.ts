/** Who counts as a person in the data of a report: only these addresses are masked. */
import { describe, expect, test } from 'vitest';
import type { ReportMail, ReportPost, ReportRequest } from '../../../../src/testing/report/data/data.ts';
import { Persons } from '../../../../src/testing/report/mask/persons.ts';

/** The persons that a mail names: in its recipients, or in a header. */
const ofMail = (changes: object) =>
  Persons.ofMail({
    ...{ to: '', from: '', replyTo: null, recipients: { to: [], cc: [] }, headers: [] },
    ...changes,
  } as unknown as ReportMail);
const inMail = (changes: object) => [...ofMail(changes).reached].sort();
const ofRequest = (changes: object) =>
  [
    ...Persons.ofRequest({ path: '/', query: '', details: null, ...changes } as unknown as ReportRequest)
      .reached,
  ].sort();
const inRequest = (path: string, query = '') => ofRequest({ path, query });
const ofBody = (body: string) => Persons.ofPost({ body } as unknown as ReportPost);
const inBody = (body: string) => [...ofBody(body).reached].sort();
const inJson = (value: unknown) => inBody(JSON.stringify(value));

describe('Persons in an email', () => {
  test.each([
    ['its recipient', { to: 'ann@example.org' }, ['ann@example.org']],
    [
      'each of several recipients',
      { to: 'ann@example.org, Ben <ben@example.org>' },
      ['ann@example.org', 'ben@example.org'],
    ],
    ['a recipient in upper case', { to: 'ANN@Example.ORG' }, ['ann@example.org']],
    ['a recipient with spaces', { to: 'Ann < ann@example.org > ' }, ['ann@example.org']],
    ['the header To', { recipients: { to: [{ email: 'ann@example.org' }], cc: [] } }, ['ann@example.org']],
    ['the header Cc', { recipients: { to: [], cc: [{ email: 'ann@example.org' }] } }, ['ann@example.org']],
    [
      'a header with recipients',
      { headers: [['Delivered-To', 'Ann <ann@example.org>']] },
      ['ann@example.org'],
    ],
    [
      'no header with a sender',
      {
        headers: [
          ['From', 'shop@example.com'],
          ['Reply-To', 'help@example.com'],
        ],
      },
      [],
    ],
  ] as const)('%s', (_, mail, persons) => {
    expect(inMail(mail)).toEqual(persons);
  });

  test.each([
    ['without a domain', 'ann@gmail'],
    ['with a comma', 'ann@example,org'],
    ['of one letter each', 'a@b'],
    ['with words in brackets before it', 'Ann <Annie> ann@gmail', 'ann <annie> ann@gmail'],
    ['with two signs', 'ann@home@example.org'],
    ['at an IP address', 'ann@[192.0.2.1]'],
    ['as long as any', `ann@${'x'.repeat(316)}`],
    ['with a long name', `${'Ann '.repeat(100)}<ann@example.org>`, 'ann@example.org'],
  ])('a recipient that is not a usual address: %s', (_, to, person = to) => {
    expect(inMail({ to })).toEqual([person]);
  });

  test.each(['', 'ann', '@example.org', 'ann@', `ann@${'x'.repeat(317)}`])('%j is not a person', (to) => {
    expect(inMail({ to })).toEqual([]);
  });
});

test('headers of recipients count, and others do not', () => {
  for (const name of ['To', 'cc', 'BCC', 'Resent-To', 'Delivered-To', 'Envelope-To', 'X-Original-To'])
    expect([name, inMail({ headers: [[name, 'Ann <ann@example.org>']] })]).toEqual([
      name,
      ['ann@example.org'],
    ]);
  for (const name of ['Tool', 'Reply-To', 'X-To', 'Delivered-To-Be', 'X-Delivered-To'])
    expect([name, inMail({ headers: [[name, 'Ann <ann@example.org>']] })]).toEqual([name, []]);
});

test('senders are apart from recipients, in fields, headers and JSON', () => {
  const { reached, senders } = ofMail({
    from: 'shop@example.com',
    replyTo: { email: 'help@example.com', name: null },
    headers: [['Return-Path', '<bounce@example.com>']],
  });
  expect([[...reached], [...senders]]).toEqual([
    [],
    ['shop@example.com', 'help@example.com', 'bounce@example.com'],
  ]);
  const body = ofBody('{"from":{"email":"shop@example.com"},"to":[{"email":"ann@example.org"}]}');
  expect([[...body.reached], [...body.senders]]).toEqual([['ann@example.org'], ['shop@example.com']]);
  expect([
    ...Persons.ofMail(
      {
        to: 'a@b.c',
        from: '',
        replyTo: null,
        recipients: { to: [], cc: [] },
        headers: [],
      } as unknown as ReportMail,
      ['ben@example.org'],
    ).reached,
  ]).toEqual(['a@b.c', 'ben@example.org']);
});

describe('Persons in a request', () => {
  test.each([
    ['/api/contacts/ann@example.org', ''],
    ['/api/contacts/ann%40example.org', ''],
    ['/api/contacts/ann@example.org/events', ''],
    ['/api/contacts', '?for=ann%40example.org'],
    ['/api/contacts', '?page=2&email=ann@example.org&x=1'],
    ['/api/contacts', '?email=ann@example.org;x=1'],
    ['/api/contacts', '?for=Dear%20ann%40example.org%20(Ann)'],
    ['/api/contacts', '?for=Ann%20%3Cann@example.org%3E'],
    ['/api/contacts/%ff/ann%40example.org', ''],
    ['/api/contacts/%ff-ann%40example.org,%20ann@example.org', ''],
  ])('%s%s', (path, query) => {
    expect(inRequest(path, query)).toContain('ann@example.org');
  });

  test('a person without a usual address is found in a part of a path', () => {
    expect(inRequest('/api/contacts/ann%40gmail')).toEqual(['ann@gmail']);
    expect(inRequest('/api/contacts/ann', '?page=2')).toEqual([]);
    expect(inRequest('/api/contacts/jos%C3%A9%40b%C3%BCro')).toEqual(['josé@büro']);
    expect(inRequest('/api/contacts/a%ff@example.org')).toEqual(['aÿ@example.org']);
  });

  test.each(['body', 'responseBody'])('in its %s', (name) => {
    const details = { body: null, responseBody: null, [name]: '{"email":"ann@example.org"}' };
    expect(ofRequest({ details })).toEqual(['ann@example.org']);
    expect(ofRequest({ email: { to: ['ann@gmail'], subject: null } })).toEqual(['ann@gmail']);
  });
});

describe('Persons in a body', () => {
  test.each([
    ['a field', { name: 'ann@example.org' }],
    ['a field of recipients', { to: 'Ann <ann@example.org>' }],
    ['a list', { data: [{ note: 'ann@example.org' }] }],
    ['a list of recipients', { to: [{ email: 'ann@example.org', name: 'Ann' }] }],
    ['the name of a field', { 'ann@example.org': 1 }],
    ['a field within such a field', { 'x@y': { list: ['Ann <ann@example.org>'] } }],
    ['beside null and numbers', { a: null, b: 5, c: true, d: 'ann@example.org' }],
    ['at the top', 'ann@example.org'],
  ])('%s of JSON', (_, value) => {
    expect(inJson(value)).toContain('ann@example.org');
  });

  test('a recipient in JSON that would not be an address in any other field', () => {
    const wrong = 'ann smith@exa mple';
    for (const name of ['to', 'cc', 'bcc', 'email', 'emails', 'recipient', 'recipients', 'Email'])
      expect([name, inJson({ [name]: wrong }), inJson({ [name]: [wrong] })]).toEqual([
        name,
        [wrong],
        [wrong],
      ]);
    for (const name of ['name', 'photo', 'total', 'email_note'])
      expect([name, inJson({ [name]: wrong })]).toEqual([name, []]);
  });

  test('no sender, whatever is in it', () => {
    for (const name of ['from', 'sender', 'reply_to', 'from_email'])
      expect([name, inJson({ [name]: { email: 'shop@example.com' }, to: 'ann@example.org' })]).toEqual([
        name,
        ['ann@example.org'],
      ]);
    for (const name of ['from_whom', 'valid_from', 'sender_of'])
      expect([name, inJson({ [name]: 'ann@gmail' })]).toEqual([name, ['ann@gmail']]);
  });

  test('a text in JSON with an address among other words, such as one of support, names no person', () => {
    for (const text of [
      'ann@gmail and more',
      'see ann@gmail',
      'See ann@example.org now',
      'Hi "Ann", ann@example.org',
    ])
      expect([text, inJson({ text })]).toEqual([text, []]);
  });

  test('a field that may hold anything, beside null and below empty lines', () => {
    expect(inJson({ note: 'ann@gmail', last: null })).toEqual(['ann@gmail']);
    expect(inBody('{"note":"ann@gmail"}\n\n \r\n{"note":"ben@gmail"}\n')).toEqual(['ann@gmail', 'ben@gmail']);
  });

  test.each([
    ['JSON with an escape', '{"email":"ann\\u0040example.org"}'],
    ['lines of JSON', '{"email":"ann@example.org"}\n{"email":"ben@example.org"}\n'],
    ['lines of JSON with empty lines', '{"email":"ben@example.org"}\r\n\r\n \n{"email":"ann@example.org"}\n'],
    ['CSV', 'email,name\r\nann@example.org,Ann\r\nben@example.org,Ben\r\n'],
    ['text', 'Dear Ann, you are (ann@example.org).'],
    ['JSON that is cut', '{"to":[{"email":"ann@example.org"},{"email":"be'],
  ])('%s', (_, body) => {
    expect(inBody(body)).toContain('ann@example.org');
  });

  test('a recipient without a usual address in JSON that is cut', () => {
    expect(inBody('{"to":[{"email":"ben@gmail"},{"email":"zo')).toEqual(['ben@gmail']);
    expect(inBody('{"to":[{"email"  :  "ben@gmail"},{"email":"zo')).toEqual(['ben@gmail']);
    expect(inBody('{"to":[{"email" : "ann@gmail"},{"note":"ben@gmail"},{"email":"be')).toEqual(['ann@gmail']);
  });

  test('a text without an address names no person', () => {
    expect(inBody('@media (width > 1px) { a { color: red } } x@ @y')).toEqual([]);
    for (const text of ['see @example.org', 'ann@(example.org)', '"ann" (@example.org)', 'ann @ example.org'])
      expect([text, inBody(text)]).toEqual([text, []]);
    expect(inBody('@media, ann@example.org')).toEqual(['ann@example.org']);
    expect(inJson({ subject: 'Hello @ all', text: 'See you @ 5' })).toEqual([]);
  });

  test('each address of a text, also with quotes and at its ends', () => {
    expect(inBody('ann@example.org "ben b"@example.org, josé@bücher.example;zoe@example.net')).toEqual(
      ['"ben b"@example.org', 'ann@example.org', 'josé@bücher.example', 'zoe@example.net'].sort(),
    );
  });

  test('a local part and a domain of the greatest length', () => {
    const label = 'x'.repeat(62);
    const address = `${'a'.repeat(64)}@${[label, label, label, 'x'.repeat(60)].join('.')}.org`;
    expect(address).toHaveLength(64 + 1 + 253);
    expect(inBody(`Dear ${address}!`)).toEqual([address]);
    expect(inBody(`Dear "${'a'.repeat(64)}"@example.org!`)).toEqual([`"${'a'.repeat(64)}"@example.org`]);
  });

  test('a name with a quoted local part in a field of JSON', () => {
    expect(inJson({ note: 'Ann <"ann a"@example.org>' })).toEqual(['"ann a"@example.org']);
    expect(inJson({ note: `${' '.repeat(985)}ann@example.org` })).toEqual(['ann@example.org']);
    expect(inJson({ note: `${' '.repeat(986)}ann@example.org` })).toEqual([]);
  });
});
