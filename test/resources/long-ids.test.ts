import { EmailPlatform } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { fillEndpoint } from '../../src/core/path.ts';
import { idRule } from '../../src/core/rules.ts';
import { endpoints } from '../../src/resources/endpoints.ts';
import { scriptedFetch, json } from '../support/scripted-fetch.ts';

/** An id that a number cannot hold: a response has it as text, although its type is `number`. */
const LONG = '9007199254740993';
const id = LONG as unknown as number;

test.each([1, Number.MAX_SAFE_INTEGER, '9007199254740992', LONG, '9223372036854775807'])(
  '%j is an id',
  (value) => {
    expect(idRule(value)).toBeUndefined();
  },
);

// Text that a number can hold is a mistake, such as an id from a form.
test.each([
  '7',
  '9007199254740991',
  `0${LONG}`,
  `${LONG}.0`,
  `-${LONG}`,
  `${LONG}/..`,
  '9'.repeat(20),
  '1e30',
])('%j is not an id', (value) => {
  expect(idRule(value)).toBe('must be a positive whole number');
});

test('the path of every endpoint takes one', () => {
  const all = endpoints();
  expect(all.length).toBeGreaterThan(100);
  for (const { template } of all) {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const given = Object.fromEntries(names.map((name) => [name, LONG]));
    const { issues } = fillEndpoint(template, given, id);
    expect([template, issues.filter(({ path }) => names.includes(path))]).toEqual([template, []]);
  }
});

describe('A field takes one', () => {
  const mail = { from: 'a@b.test', to: 'ann@example.org', subject: 'Hi', text: 'Hi' };
  const is = { operator: 'equal', value: id } as const;

  test.each<[string, (client: EmailPlatform) => PromiseLike<unknown>]>([
    ['the account', (client) => client.withOptions({ accountId: id }).stats.get(days)],
    ['the account of a call', (client) => client.templates.get(id, { accountId: id })],
    [
      'the inbox of the client',
      (client) => client.withOptions({ sandboxInboxId: id, stream: 'sandbox' }).sending.send(mail),
    ],
    ['the inbox of a call', (client) => client.sending.send(mail, { stream: 'sandbox', sandboxInboxId: id })],
    ['domain_id of a campaign', (client) => client.campaigns.update(1, { domain_id: id })],
    [
      'contact_list_ids',
      (client) => client.campaigns.update(1, { contact_list_ids: [id], contact_segment_ids: [id] }),
    ],
    [
      'list_ids of a contact',
      (client) => client.contacts.create({ email: 'ann@example.org', list_ids: [id] }),
    ],
    ['domain_ids of statistics', (client) => client.stats.get({ ...days, domain_ids: [id] })],
    [
      'domain_id of a suppression',
      (client) => client.suppressions.create({ email: 'a@b.test', sending_stream: 'bulk', domain_id: id }),
    ],
    ['domain_id of a filter', (client) => client.emailLogs.list({ filters: { domain_id: is } })],
    ['domain_id of an inbox', (client) => client.inbound.inboxes.create(id, { name: 'x', domain_id: id })],
    ['the project of an inbox', (client) => client.sandbox.inboxes.create(id, { name: 'x' })],
    ['last_id', (client) => client.sandbox.messages.list(id, { last_id: id })],
    ['accesses of a domain', (client) => client.accounts.accesses.list({ domain_ids: [id] })],
  ])('%s', async (_, call) => {
    const { fetch, sent } = scriptedFetch(json(200, {}));
    const hosts = { domain: 'example.com' };
    const client = new EmailPlatform({ token: 't', accountId: 7, hosts, fetch, retry: false });
    // The response is none of this method's; what counts is that the request was made.
    await Promise.resolve(call(client)).catch(() => undefined);
    expect(sent.length).toBe(1);
  });
});

const days = { start_date: '2026-01-01', end_date: '2026-01-31' };
