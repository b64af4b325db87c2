import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mail } from '../../../tools/mail.ts';
import { campaigns, sendable, still, wire, type Call } from '../../../tools/wire.ts';
import { anyCharacter } from '../../../../support/any-character.ts';
import { runs } from '../../../../support/extent.ts';

type Json = unknown;

/** Values that a field may have in JSON but should not have here. */
const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 2 ** 53, 1e308, 5e-324, 301, 2001),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '__proto__',
    'a@b.c',
    '{{#each a}}',
    '%',
    '\r\n.\r\n',
    '=?UTF-8?B??=',
  ),
  fc.constantFrom('2026-02-01T00:00:00Z', '+275760-09-13T00:00:00Z', '0000-00-00T99:99', 'x'.repeat(100_000)),
  fc.constantFrom<Json>(
    [],
    {},
    [[]],
    [null],
    Array.from({ length: 5000 }, (_, index) => index),
    JSON.parse('{"__proto__":1}'),
  ),
  fc.constant('['.repeat(900) + ']'.repeat(900)).map((text) => JSON.parse(text) as Json),
  fc.jsonValue({ maxDepth: 3 }),
);

interface Endpoint {
  readonly host: NonNullable<Call['host']>;
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, Json>>;
}

const emulator = () => still({ limits: false, seed: 'demo' });

const template = { name: 'A', subject: 'B {{c}}', category: 'd', body_html: '{{e}}', body_text: 'f' };
const company = {
  name: 'A',
  address: 'B',
  city: 'C',
  country: 'D',
  zip_code: 'E',
  website_url: 'https://f.test',
};
const whole = {
  ...mail,
  cc: [{ email: 'a@example.org', name: 'A' }],
  reply_to: { email: 'b@example.org' },
  headers: { 'X-A': 'b' },
  attachments: [{ content: 'YQ==', filename: 'a.txt', type: 'text/plain', content_id: 'c' }],
  category: 'a',
  custom_variables: { a: 1 },
};
const batch = {
  base: { subject: 'A' },
  requests: [{ ...whole }, { ...mail, to: [{ email: 'c@example.org' }] }],
};

const webhook = {
  url: 'https://a.test/',
  webhook_type: 'email_sending',
  sending_stream: 'transactional',
  event_types: ['open'],
};
const { subject, ...answered } = { ...whole, from: undefined };
const inbox = '/api/inbound/inboxes/6002';
/** The first message that the first inbox receives. */
const FIRST_MESSAGE = '1870314786754428928';

/** A valid body for every endpoint that reads one. */
const ENDPOINTS: readonly Endpoint[] = [
  ...(['POST', 'PATCH'] as const).map((method) => ({
    host: 'api' as const,
    method,
    path: method === 'POST' ? campaigns : `${campaigns}/1241`,
    body: {
      ...sendable(emulator()),
      reply_to: { domain: 'a.test' },
      delivery_options: { emails_per_hour: 5 },
    },
  })),
  {
    host: 'api',
    method: 'POST',
    path: `${campaigns}/1242/schedule`,
    body: { datetime: '2026-02-01T00:00:00Z' },
  },
  { host: 'api', method: 'POST', path: '/api/email_templates', body: { email_template: template } },
  { host: 'api', method: 'PATCH', path: '/api/email_templates/41001', body: { email_template: template } },
  { host: 'api', method: 'POST', path: '/api/domains', body: { domain: { domain_name: 'new.example.com' } } },
  {
    host: 'api',
    method: 'PATCH',
    path: '/api/domains/301',
    body: { domain: { open_tracking_enabled: true } },
  },
  { host: 'api', method: 'POST', path: '/api/domains/301/company_info', body: { company_info: company } },
  {
    host: 'api',
    method: 'POST',
    path: '/api/domains/301/send_setup_instructions',
    body: { email: 'a@b.test' },
  },
  {
    host: 'api',
    method: 'POST',
    path: '/api/contacts',
    body: { contact: { email: 'a@b.test', fields: {}, list_ids: [1] } },
  },
  {
    host: 'api',
    method: 'PATCH',
    path: '/api/contacts/a@b.test',
    body: { contact: { list_ids_excluded: [1] } },
  },
  { host: 'api', method: 'POST', path: '/api/contacts/lists', body: { name: 'A' } },
  {
    host: 'api',
    method: 'POST',
    path: '/api/suppressions',
    body: { email: 'a@b.test', domain_id: 301, sending_stream: 'transactional', type: 'manual import' },
  },
  { host: 'api', method: 'POST', path: '/api/webhooks', body: { webhook } },
  { host: 'api', method: 'PATCH', path: '/api/webhooks/5001', body: { webhook } },
  { host: 'api', method: 'POST', path: '/api/inbound/folders', body: { name: 'a' } },
  {
    host: 'api',
    method: 'POST',
    path: '/api/inbound/folders/6001/inboxes',
    body: { name: 'a', domain_id: 301 },
  },
  ...(['reply', 'reply_all', 'forward'] as const).map((kind) => ({
    host: 'api' as const,
    method: 'POST',
    path: `${inbox}/messages/${FIRST_MESSAGE}/${kind}`,
    body: answered,
  })),
  ...(['POST', 'PATCH'] as const).map((method) => ({
    host: 'api' as const,
    method,
    path: method === 'POST' ? `${inbox}/forward_rules` : `${inbox}/forward_rules/6003`,
    body: {
      name: 'a',
      conditions: [{ match_type: 'header', operator: 'equal', value: 'a', header_key: 'b' }],
      destinations: [{ email: 'a@b.test' }],
    },
  })),
  ...(['send', 'bulk', 'sandbox'] as const).flatMap((host) => {
    const inbox = host === 'sandbox' ? '/2001' : '';
    return [
      { host, method: 'POST', path: `/api/send${inbox}`, body: whole },
      { host, method: 'POST', path: `/api/batch${inbox}`, body: batch },
    ];
  }),
];

/** The places in a value, as the names that lead to them; those far inside are left out. */
function placesIn(value: Json, depth = 5): string[][] {
  if (typeof value !== 'object' || value === null || depth === 0) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([name, inner]) =>
      placesIn(inner, depth - 1).map((rest) => [name, ...rest]),
    ),
  ];
}

/** The value with something else in one place. */
function changed(value: Json, [name, ...rest]: readonly string[], by: Json): Json {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((one: Json, index) => (String(index) === name ? changed(one, rest, by) : one));
  const fields = value as Readonly<Record<string, Json>>;
  return { ...fields, [name]: changed(fields[name], rest, by) };
}

const LISTS = [
  'email_campaigns',
  'email_logs',
  'email_templates',
  'domains',
  'suppressions',
  'contacts/lists',
];

describe('No value makes the emulator fail', () => {
  test('in any place of the body of any endpoint; what it stored can be listed and downloaded', async () => {
    const target = emulator();
    target.campaigns.add();
    target.campaigns.add();
    const { address } = target.inbound.add();
    const received = target.inbound.receive({ to: address, from: 'ann@example.org' });
    expect(received).toMatchObject([{ inboxId: 6002, messageId: FIRST_MESSAGE }]);
    const call = wire(target);
    expect((await call('POST', '/api/webhooks', { body: { webhook } })).status).toBe(200);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ENDPOINTS),
        fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 2 }),
        async ({ host, method, path, body }, changes) => {
          let given: Json = body;
          for (const [at, value] of changes) {
            const places = placesIn(given);
            given = changed(given, places[at % places.length] ?? [], value);
          }
          const { status } = await call(method, path, { host, body: given });
          expect([200, 201, 204, 400, 401, 403, 404, 422]).toContain(status);
        },
      ),
      { numRuns: runs(1500) },
    );
    const inbound = ['messages', 'threads', 'forward_rules'].map((name) => `inbound/inboxes/6002/${name}`);
    for (const path of [...LISTS, 'webhooks', 'inbound/folders', ...inbound])
      expect([path, (await call('GET', `/api/${path}`)).status]).toEqual([path, 200]);
    // Posts the stored events, and applies the rules to an email.
    target.inbound.receive({ to: address, from: 'ann@example.org', headers: { b: 'a' } });
    target.clock.advance(600_000);
    await target.webhooks.settled();
    const { value } = await call('GET', '/api/email_logs');
    for (const { message_id } of (value as { messages: { message_id: string }[] }).messages) {
      const log = (await call('GET', `/api/email_logs/${message_id}`)).value as { raw_message_url: string };
      expect((await target.fetch(log.raw_message_url)).status).toBe(200);
    }
  });

  test('in any parameter of any list', async () => {
    const call = wire(emulator());
    const name = fc.constantFrom(
      ...[
        'token',
        'per_page',
        'search',
        'search_after',
        'start_date',
        'end_date',
        'start_time',
        'end_time',
        'last_id',
      ],
      ...[
        'filters[sent_after]',
        'filters[sent_before]',
        'filters[to][operator]',
        'filters[to][value]',
        'filters[to][value][]',
      ],
      ...[
        'filters[status][operator]',
        'filters[clicks_count][value]',
        'filters[__proto__][operator]',
        'domain_ids[]',
      ],
      ...['email', 'categories[]', '__proto__', 'constructor'],
    );
    const text = fc.oneof(
      fc.constantFrom(
        '',
        '-1',
        '0',
        '9'.repeat(400),
        '1e9',
        'NaN',
        'equal',
        'ci_contain',
        '__proto__',
        'toString',
      ),
      fc.constantFrom(
        '2026-01-01',
        '9999-99-99',
        '2026-02-30T25:61:61Z',
        '+275760-09-13T00:00:00.001Z',
        'a'.repeat(10_000),
      ),
      fc.string({ unit: anyCharacter }),
    );
    const path = fc.constantFrom(
      ...LISTS,
      'stats',
      'stats/date',
      'email_campaigns/1001/stats',
      'account_accesses',
      'accounts',
    );
    await fc.assert(
      fc.asyncProperty(path, fc.array(fc.tuple(name, text), { maxLength: 5 }), async (list, parameters) => {
        const { status } = await call('GET', `/api/${list}?${new URLSearchParams(parameters).toString()}`);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: runs(1500) },
    );
  });
});
