/** The lines of `why`, for each kind of record. The command itself is tested in why.test.ts. */
import type { NoMailReason, WhyNoMail } from 'email-platform/diagnose';
import { expect, test } from 'vitest';
import { whyText } from '../../src/cli/why-text.ts';

const AT = '2026-11-12T10:31:00.000Z';

/** The result for an address without a record, of a token that may read nothing but suppressions and domains. */
const result = (more: object = {}): WhyNoMail => ({
  email: 'ann@example.org',
  domain: 'mail.example.com',
  stream: 'transactional',
  reachable: true,
  reasons: [],
  newest: undefined,
  others: [],
  mails: undefined,
  hasMoreMails: false,
  contact: undefined,
  trackingOptOuts: undefined,
  unreadable: [],
  ...more,
});

const suppression = (blocks: boolean, more: object = {}) =>
  ({
    kind: 'suppression',
    blocks,
    suppression: { id: 'id-1', type: 'hard bounce', created_at: AT, sending_stream: 'bulk', ...more },
  }) as NoMailReason;

const linesOf = (more: object) => whyText(result(more), 30).split('\n').slice(0, -1);

test('without a record there is one line', () => {
  expect(linesOf({})).toEqual([
    'Email is sent to ann@example.org from mail.example.com (transactional): no record blocks it.',
  ]);
});

test.each<[string, object]>([
  [
    "the client's recipients (EMAIL_PLATFORM_RECIPIENTS) do not allow the address",
    { kind: 'recipients', blocks: true, outcome: 'refused' },
  ],
  [
    'the client redirects email to another address (EMAIL_PLATFORM_REDIRECT_TO)',
    { kind: 'recipients', blocks: true, outcome: 'redirected' },
  ],
  ["the client's stream is the sandbox, which captures emails", { kind: 'sandbox', blocks: true }],
  [
    'the domain mail.example.com is not a sending domain that the token can see',
    { kind: 'domain', blocks: true, state: 'missing' },
  ],
  [
    'the domain mail.example.com is not verified: `email-platform doctor` names its DNS records',
    { kind: 'domain', blocks: true, state: 'unverified' },
  ],
  ['hard bounce, 12 Nov 2026 10:31 (id-1)', suppression(true)],
  [
    'hard bounce, 12 Nov 2026 10:31, 550 no such user (id-1)',
    suppression(true, { message_esp_response: '550 no such user' }),
  ],
  ['hard bounce (id-1)', suppression(true, { created_at: '' })],
])('the first line has the reason: %s', (text, reason) => {
  expect(linesOf({ reachable: false, reasons: [reason] })).toEqual([
    `Nothing is sent to ann@example.org from mail.example.com (transactional): ${text}.`,
  ]);
});

test('further reasons follow: those that apply, and those of other senders and streams', () => {
  const reasons = [
    { kind: 'sandbox', blocks: true },
    { kind: 'domain', blocks: true, state: 'missing' },
    suppression(true, { id: 'id-2' }),
    suppression(false, { id: 'id-3', domain_name: 'news.example.com' }),
    suppression(false, { id: 'id-4', domain_name: null, sending_stream: 'any' }),
  ];
  expect(linesOf({ reachable: false, reasons }).slice(1)).toEqual([
    '  Also: the domain mail.example.com is not a sending domain that the token can see.',
    '  Also: hard bounce, 12 Nov 2026 10:31 (id-2).',
    '  Elsewhere: hard bounce, 12 Nov 2026 10:31 (id-3) [bulk, news.example.com].',
    '  Elsewhere: hard bounce, 12 Nov 2026 10:31 (id-4) [any].',
  ]);
});

test.each([
  ['delivered', undefined, ', and the newest email, of 12 Nov 2026 10:31, was delivered.'],
  ['failed', undefined, ', but the newest email, of 12 Nov 2026 10:31, was not delivered.'],
  ['pending', undefined, ', but the newest email, of 12 Nov 2026 10:31, has no event yet.'],
  ['pending', 'read_aloud', ', but the newest email, of 12 Nov 2026 10:31, has the event read_aloud.'],
])('the newest email, %s, with the last event %s', (state, type, says) => {
  const event = type === undefined ? undefined : { event_type: type, details: null };
  const [line] = linesOf({ newest: { message_id: 'id', sent_at: AT, state, event } });
  expect(line?.endsWith(says)).toBe(true);
});

test.each([
  ['after the suppression, was delivered', '2026-11-12T10:32:00.000Z', 'delivered', 'suppression', true],
  ['with the suppression, was delivered', AT, 'delivered', 'suppression', false],
  ['before the suppression, was delivered', '2026-11-12T10:30:00.000Z', 'delivered', 'suppression', false],
  ['after the suppression, failed', '2026-11-12T10:32:00.000Z', 'failed', 'suppression', false],
  ['to a domain that is missing', '2026-11-12T10:32:00.000Z', 'delivered', 'domain', false],
])('a block says whether the newest email outlived it: %s', (_, sent_at, state, kind, isOutlived) => {
  const reasons = [
    kind === 'suppression' ? suppression(true) : { kind: 'domain', blocks: true, state: 'missing' },
  ];
  const newest = { message_id: 'id', sent_at, state, event: undefined };
  expect(linesOf({ reachable: false, reasons, newest })[0]?.includes('; yet the newest email')).toBe(
    isOutlived,
  );
});

test('what the token may not read is named, in the first line only if it may block', () => {
  const newest = { message_id: 'id', sent_at: AT, state: 'delivered', event: undefined };
  const blocked = 'No readable record blocks email to ann@example.org from mail.example.com (transactional)';
  const unreadable = ['suppressions', 'contacts'];
  expect(linesOf({ reachable: null, unreadable })).toEqual([
    `${blocked}, but the token may not read suppressions, contacts.`,
    '  Not read, as the token may not: suppressions, contacts.',
  ]);
  expect(linesOf({ reachable: null, unreadable, newest })[0]).toBe(
    `${blocked}, but the token may not read suppressions, contacts; the newest email, of 12 Nov 2026 10:31, was delivered.`,
  );
});

const mail = (more: object = {}) => ({
  message_id: 'id-1',
  from: 'hello@mail.example.com',
  sending_stream: 'transactional',
  sent_at: AT,
  subject: 'Receipt',
  status: 'enqueued',
  events: [],
  opens_count: 0,
  clicks_count: 0,
  ...more,
});

test.each([
  ['enqueued', {}],
  [
    'bounce (badmailbox, 550 no such user)',
    {
      events: [
        { event_type: 'delivery', details: null },
        {
          event_type: 'bounce',
          details: { bounce_category: 'badmailbox', email_service_provider_response: '550 no such user' },
        },
        { event_type: 'open', details: null },
      ],
    },
  ],
  [
    'delivery',
    {
      events: [
        { event_type: 'delivery', created_at: '2026-11-12T10:35:00Z' },
        { event_type: 'soft_bounce', created_at: '2026-11-12T10:31:00Z' },
      ],
    },
  ],
  ['delivery, opened 2×', { events: [{ event_type: 'delivery' }], opens_count: 2 }],
  ['delivery, clicked 3×', { events: [{ event_type: 'delivery' }], clicks_count: 3 }],
])('an email has its last event and its counts: %s', (outcome, more) => {
  expect(linesOf({ mails: [mail(more)] })[1]).toBe(`  12 Nov 2026 10:31  Receipt   ${outcome}`);
});

test('an email is followed by its traces, and the list by a word about older emails', () => {
  const custom_variables = { order: 7, source: 'checkout', tags: ['a'] };
  const mails = [mail({ subject: null, category: 'receipt', custom_variables }), mail()];
  const late = '  The log is late: an email or event of the last minutes may not be in it yet.';
  expect(linesOf({ mails, hasMoreMails: true }).slice(1)).toEqual([
    '  12 Nov 2026 10:31  (no subject)   enqueued',
    '      id-1, transactional, from hello@mail.example.com, category receipt, order=7, source=checkout, tags=["a"]',
    '  12 Nov 2026 10:31  Receipt   enqueued',
    '      id-1, transactional, from hello@mail.example.com',
    '  … and older ones',
    late,
  ]);
  expect(linesOf({ mails: [mail()] }).slice(3)).toEqual([late]);
  expect(linesOf({ mails: [] }).slice(1)).toEqual([
    `  No email to ann@example.org in the log of 30 days. ${late.trim()}`,
  ]);
});

test.each([
  [null, 'none.'],
  [{ status: 'subscribed', lists: [] }, 'subscribed. Campaigns alone depend on it.'],
  [{ status: 'subscribed', lists: undefined }, 'subscribed. Campaigns alone depend on it.'],
  [
    { status: 'subscribed', lists: ['Cooks', 'Divers'] },
    'subscribed, in list Cooks, Divers. Campaigns alone depend on it.',
  ],
  [
    { status: 'unsubscribed', lists: [] },
    'unsubscribed, changed 12 Nov 2026 10:31. Campaigns alone depend on it.',
  ],
])('the contact %j', (contact, text) => {
  const shown = contact && { ...contact, updated_at: Date.parse(AT) };
  expect(linesOf({ contact: shown }).slice(1)).toEqual([`  Contact: ${text}`]);
});

test('an opt-out from tracking is said', () => {
  expect(linesOf({ trackingOptOuts: [] })).toHaveLength(1);
  expect(linesOf({ trackingOptOuts: [{ email: 'ann@example.org' }] }).slice(1)).toEqual([
    '  Opens and clicks are not tracked: the address has opted out.',
  ]);
});
