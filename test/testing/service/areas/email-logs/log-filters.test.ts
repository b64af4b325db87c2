import type { Emulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { accountLogs, filter, found, logs } from '../../../tools/logs.ts';
import { start, still, wire } from '../../../tools/wire.ts';

const minute = 60_000;

/** Adds three messages that differ in every field: a (newest), b, c. */
function three(answers: Emulator.Answers = 'specified') {
  const emulator = still({ answers });
  const other = emulator.domains.add({ name: 'other.example.com' });
  emulator.logs.add({
    to: 'c@yahoo.com',
    from: 'C@Other.example.com',
    subject: null,
    sent_at: start - 3 * minute,
    domain_id: other,
    sending_stream: 'bulk',
    events: [{ event_type: 'bounce', created_at: start - 2 * minute }],
  });
  emulator.logs.add({
    to: 'Quiet+B@gmail.com',
    from: 'b@mail.example.com',
    subject: 'Your Invoice',
    category: 'billing',
    client_ip: '192.0.2.7',
    sent_at: start - 2 * minute,
  });
  emulator.logs.add({
    to: 'a@example.org',
    from: 'a@mail.example.com',
    subject: 'Welcome',
    category: 'welcome',
    client_ip: '192.0.2.70',
    sent_at: start - minute,
    events: [
      { event_type: 'delivery' },
      { event_type: 'open' },
      { event_type: 'open' },
      { event_type: 'click' },
    ],
  });
  return emulator;
}

const names: Record<string, string> = { 'a@example.org': 'a', 'Quiet+B@gmail.com': 'b', 'c@yahoo.com': 'c' };

async function letters(query: string, path = logs, answers?: Emulator.Answers): Promise<string> {
  return (await found(three(answers), query, { path })).map((to) => names[to]).join('');
}

describe('Filters and operators', () => {
  test.each([
    ['to', 'ci_contain', 'quiet+b', 'b'],
    ['to', 'ci_not_contain', 'QUIET', 'ac'],
    ['to', 'ci_equal', 'quiet+b@GMAIL.com', 'b'],
    ['to', 'ci_equal', ['A@example.org', 'C@yahoo.com', 'x@y.z'], 'ac'],
    ['to', 'ci_not_equal', 'a@example.org', 'bc'],
    ['to', 'ci_not_equal', ['a@example.org', 'c@yahoo.com'], 'b'],
    ['from', 'ci_contain', 'OTHER', 'c'],
    ['from', 'ci_equal', 'c@other.example.com', 'c'],
    ['subject', 'ci_contain', 'invoice', 'b'],
    ['subject', 'ci_not_contain', 'invoice', 'ac'],
    ['subject', 'ci_equal', ['welcome', 'your invoice'], 'ab'],
    ['subject', 'ci_not_equal', 'welcome', 'bc'],
    ['status', 'equal', 'not_delivered', 'c'],
    ['status', 'equal', ['delivered', 'not_delivered'], 'abc'],
    ['status', 'not_equal', 'delivered', 'c'],
    ['events', 'include_event', 'delivery', 'ab'],
    ['events', 'include_event', ['bounce', 'click'], 'ac'],
    ['events', 'not_include_event', 'delivery', 'c'],
    ['events', 'not_include_event', ['bounce', 'click'], 'b'],
    ['opens_count', 'equal', 2, 'a'],
    ['opens_count', 'greater_than', 1, 'a'],
    ['opens_count', 'less_than', 2, 'bc'],
    ['clicks_count', 'equal', 0, 'bc'],
    ['clicks_count', 'greater_than', 0, 'a'],
    ['clicks_count', 'less_than', 1, 'bc'],
    ['client_ip', 'equal', '192.0.2.7', 'b'],
    ['client_ip', 'not_equal', '192.0.2.7', 'ac'],
    ['client_ip', 'contain', '192.0.2.7', 'ab'],
    ['client_ip', 'not_contain', '192.0.2.', 'c'],
    ['sending_ip', 'equal', '198.51.100.20', 'c'],
    ['sending_ip', 'not_equal', ['198.51.100.20'], 'ab'],
    ['sending_ip', 'contain', '100.1', 'ab'],
    ['email_service_provider_response', 'ci_contain', 'user UNKNOWN', 'c'],
    ['email_service_provider_response', 'ci_not_contain', 'user unknown', 'ab'],
    ['recipient_mx', 'ci_equal', 'MX.example.org', 'a'],
    ['recipient_mx', 'ci_not_contain', 'google', 'ac'],
    ['email_service_provider', 'equal', ['Google', 'Yahoo'], 'bc'],
    ['email_service_provider', 'not_equal', 'Google', 'ac'],
    ['category', 'equal', 'billing', 'b'],
    ['category', 'equal', ['billing', 'welcome'], 'ab'],
    ['category', 'not_equal', 'billing', 'ac'],
    ['sending_stream', 'equal', 'bulk', 'c'],
    ['sending_stream', 'not_equal', ['bulk'], 'ab'],
    ['domain_id', 'equal', 303, 'c'],
    ['domain_id', 'equal', ['301', '303'], 'abc'],
    ['domain_id', 'not_equal', ['303'], 'ab'],
  ] as const)('%s %s %j → %s', async (name, operator, value, expected) => {
    const values = typeof value === 'object' ? [[...value]] : [value];
    expect(await letters(filter(name, operator, ...values))).toBe(expected);
  });

  test('subject empty and not_empty take no value', async () => {
    expect(await letters(filter('subject', 'empty'))).toBe('c');
    expect(await letters(filter('subject', 'not_empty'))).toBe('ab');
  });

  test('sent_after and sent_before are inclusive', async () => {
    const iso = (ms: number) => encodeURIComponent(new Date(start - ms).toISOString());
    expect(await letters(`filters%5Bsent_after%5D=${iso(2 * minute)}`)).toBe('ab');
    expect(await letters(`filters%5Bsent_before%5D=${iso(2 * minute)}`)).toBe('bc');
    expect(
      await letters(`filters[sent_after]=${iso(2 * minute)}&filters[sent_before]=${iso(2 * minute)}`),
    ).toBe('b');
    expect(await letters('filters[sent_after]=2026-01-31T13:58:00%2B02:00')).toBe('ab');
    expect(await letters('filters[sent_after]=2026-01-31T11:58')).toBe('ab');
    expect(await letters('filters[sent_after]=2026-01-31&filters[sent_before]=2026-02-01')).toBe('abc');
  });

  test('sent_after later than sent_before → 400 with error', async () => {
    const { status, value } = await wire(still())(
      'GET',
      `${logs}?filters[sent_after]=2026-02-01&filters[sent_before]=2026-01-01`,
    );
    expect([status, value]).toEqual([400, { error: expect.stringContaining('sent_after') as unknown }]);
  });

  test('several filters: all of them must match', async () => {
    const query = `${filter('to', 'ci_contain', '@')}&${filter('sending_stream', 'equal', 'transactional')}`;
    expect(await letters(`${query}&${filter('opens_count', 'less_than', 1)}`)).toBe('b');
  });

  test('brackets may be sent as they are', async () => {
    expect(await letters('filters[to][operator]=ci_equal&filters[to][value][]=a@example.org')).toBe('a');
  });

  test('a filter on changing values follows the clock', async () => {
    const emulator = still();
    emulator.logs.add({ to: 'late@example.org' });
    const delivered = filter('status', 'equal', 'delivered');
    expect(await found(emulator, delivered)).toEqual([]);
    emulator.clock.advance(1000);
    expect(await found(emulator, delivered)).toEqual(['late@example.org']);
  });
});

describe('Invalid or unknown filters are ignored: every message is returned', () => {
  test.each([
    ['an unknown filter', filter('recipient', 'equal', 'x')],
    ['an unknown operator', filter('to', 'equal', 'x')],
    ['an operator of another filter', filter('status', 'ci_equal', 'delivered')],
    ['no operator', 'filters[to][value]=x'],
    ['no value', filter('to', 'ci_equal')],
    ['an array where one value goes', filter('to', 'ci_contain', ['x'])],
    ['a value and an array at once', filter('to', 'ci_equal', 'x', ['y'])],
    ['an unknown status', filter('status', 'equal', 'lost')],
    ['an unknown event', filter('events', 'include_event', 'delivered')],
    ['a count that is no number', filter('opens_count', 'equal', 'many')],
    ['a date that is none', 'filters[sent_after]=yesterday'],
    ['a name every object has', filter('constructor', 'equal', 'x')],
  ])('%s', async (_, query) => {
    for (const path of [logs, accountLogs]) expect(await letters(query, path)).toBe('abc');
  });

  test('the domain filter has both of its names in both forms of the path, whatever the answers', async () => {
    for (const path of [logs, accountLogs]) {
      for (const answers of ['specified', 'recorded'] as const) {
        for (const name of ['domain_id', 'sending_domain_id']) {
          expect(await letters(filter(name, 'equal', 303), path, answers)).toBe('c');
          expect(await letters(filter(name, 'equal', ['301', '303']), path, answers)).toBe('abc');
          expect(await letters(filter(name, 'not_equal', 303), path, answers)).toBe('ab');
          expect(await letters(filter(name, 'equal', 999), path, answers)).toBe('');
        }
        const both = `${filter('domain_id', 'equal', 303)}&${filter('sending_domain_id', 'equal', 303)}`;
        expect(await letters(both, path, answers)).toBe('c');
      }
    }
  });

  test('a list with indexes is read like one without', async () => {
    const indexed = (first: string, second: string) =>
      `filters[to][operator]=ci_equal&filters[to][value][0]=${first}&filters[to][value][1]=${second}`;
    expect(await letters(indexed('a@example.org', 'c@yahoo.com'))).toBe('ac');
  });

  test('an invalid date is refused with 400 as an option', async () => {
    const { status } = await wire(still({ logs: { unreadableDates: 'refuse' } }))(
      'GET',
      `${logs}?filters[sent_before]=yesterday`,
    );
    expect(status).toBe(400);
  });
});
