import type { Emulator } from 'email-platform/testing';
import { expect } from 'vitest';
import { asked, mail, type Asked } from '../../../spec/quotes/quote.ts';
import {
  type Claim,
  type Prove,
  claim,
  logged,
  typesOf,
  SUPPRESSION,
  rendered,
  renders,
  campaign,
  ownInbox,
} from './claim.ts';

const row = (cells: readonly [string, string, string], prove: Prove, options?: Emulator.Options) =>
  claim(`| ${cells.join(' | ')} |`, prove, options);
const statuses =
  (expected: Readonly<Record<string, readonly string[]>>): Prove =>
  async (service) => {
    for (const [name, types] of Object.entries(expected))
      expect([name, ...(await typesOf(service, name))]).toEqual([name, ...types]);
  };
const rejects = async (service: Asked, type: string, name = 'ann') => {
  await service.call('POST /api/suppressions', { ...SUPPRESSION, email: `${name}@example.org`, type });
  const { status, events } = await logged(service, name);
  expect(status).toBe('not_delivered');
  return events.map(({ details }) => details.reject_reason);
};

/** The section "Rules of the service's guides". */
export const RULES: readonly Claim[] = [
  row(
    [
      'a soft bounce and a suspension leave an email `enqueued`: up to ten more attempts follow',
      'stated',
      'makes no further attempt by itself; `delayed@…` is delivered after a soft bounce',
    ],
    statuses({
      'soft-bounce': ['enqueued', 'soft_bounce'],
      suspend: ['enqueued', 'suspension'],
      delayed: ['delivered', 'soft_bounce', 'delivery'],
    }),
  ),
  row(
    [
      'a bounce and a rejection, also of a suppressed recipient, make an email `not_delivered`',
      'stated',
      'does so',
    ],
    async (service) => {
      await statuses({ bounce: ['not_delivered', 'bounce'], reject: ['not_delivered', 'reject'] })(service);
      await rejects(service, 'unsubscription');
    },
  ),
  row(
    [
      'an unsubscription or a spam complaint after the delivery makes an email `opted_out`',
      'stated',
      'does so; the filter finds it',
    ],
    async (service) => {
      for (const [index, name] of ['unsubscribe', 'spam'].entries()) {
        const { status, events } = await logged(service, name);
        expect([status, events[0]?.event_type, events.at(-1)?.event_type]).toEqual([
          'opted_out',
          'delivery',
          name,
        ]);
        const filter = 'filters[status][operator]=equal&filters[status][value]=opted_out';
        expect((await service.call(`GET /api/email_logs?${filter}`)).value).toMatchObject({
          total_count: index + 1,
        });
      }
    },
  ),
  row(
    ['a bounce after a delivery makes an email `not_delivered`', 'inferred', 'does so: `late-bounce@…`'],
    statuses({ 'late-bounce': ['not_delivered', 'delivery', 'bounce'] }),
  ),
  row(
    [
      'in statistics, an email with a `delivery` counts as delivered, and a soft bounce is no bounce',
      'stated',
      'does so',
    ],
    async (service) => {
      for (const name of ['late-bounce', 'soft-bounce', 'ann']) await logged(service, name);
      const { value } = await service.call('GET /api/stats?start_date=2026-01-01&end_date=2026-12-31');
      expect(value).toMatchObject({ delivery_count: 2, bounce_count: 1 });
    },
  ),
  row(
    [
      'a rejection says `Recipient in suppression list. Reason: unsubscription`',
      'stated; of other types inferred',
      'has the type of the suppression there',
    ],
    async (service) => {
      for (const type of ['unsubscription', 'spam complaint', 'manual import', 'hard bounce'])
        expect(await rejects(service, type, type.replace(' ', '.'))).toEqual([
          `Recipient in suppression list. Reason: ${type}`,
        ]);
    },
  ),
  row(
    [
      'a bounce has one of seventeen categories',
      'stated',
      'has `badrecipient` for a bounce and `overquota` for a soft one',
    ],
    async (service) => {
      for (const [name, bounce_category] of Object.entries({
        bounce: 'badrecipient',
        'soft-bounce': 'overquota',
      }))
        expect((await logged(service, name)).events).toMatchObject([{ details: { bounce_category } }]);
    },
  ),
  row(
    ['a suppression has the name of the category: `Bad recipient`', 'recorded', 'does so'],
    async (service) => {
      await logged(service, 'bounce');
      const { value } = await service.call('GET /api/suppressions');
      expect(value).toMatchObject([{ type: 'hard bounce', message_bounce_category: 'Bad recipient' }]);
    },
    { suppressions: { stopAfterEvents: true } },
  ),
  row(
    [
      'an inbox at an own domain is a catch-all, `*@domain`, and receives email to every name there',
      'stated',
      'does so; of several at one domain, each receives it',
    ],
    async (service) => {
      const [one, other] = [await ownInbox(service), await ownInbox(service)];
      expect(one.value).toMatchObject({ address: '*@mail.example.com' });
      for (const to of ['a@mail.example.com', 'b@mail.example.com'])
        expect(
          service.emulator.inbound.receive({ to, from: 'bo@example.org' }).map(({ inboxId }) => inboxId),
        ).toEqual([one.id, other.id]);
    },
  ),
  row(
    [
      'a domain that receives email has `inbound_enabled` and an MX record',
      'stated; the fields of the record inferred',
      'lists the record while `inbound_enabled` is true, and receives nothing otherwise',
    ],
    async (service) => {
      await ownInbox(service);
      const receive = () =>
        service.emulator.inbound.receive({ to: 'a@mail.example.com', from: 'bo@example.org' });
      for (const inbound_enabled of [true, false]) {
        await service.call('PATCH /api/domains/301', { domain: { inbound_enabled } });
        const { value } = await service.call('GET /api/domains/301');
        const { dns_records: records } = value as { dns_records: { type: string }[] };
        expect(records.some(({ type }) => type === 'MX')).toBe(inbound_enabled);
        if (inbound_enabled) expect(receive()).toHaveLength(1);
        else expect(receive).toThrow('does not receive email');
      }
    },
  ),
  row(
    [
      'a catch-all forwards from the address at which a message arrived, and never to itself',
      'inferred',
      'does so',
    ],
    async (service) => {
      const { id } = await ownInbox(service);
      await service.call(`POST /api/inbound/inboxes/${id}/forward_rules`, {
        ...{ name: 'r', conditions: [{ match_type: 'sender', operator: 'equal', value: 'bo@example.org' }] },
        destinations: [{ email: 'ann@example.org' }, { email: 'b@mail.example.com' }],
      });
      service.emulator.inbound.receive({ to: 'a@mail.example.com', from: 'bo@example.org' });
      const messages = service.emulator.messages().map(({ from, to }) => [from, to]);
      expect(messages).toEqual([['a@mail.example.com', 'ann@example.org']]);
    },
  ),
  row(
    ["the address of a hosted inbox has the inbox's name", 'stated', 'does so: `support-tickets-1a2b3c4d@…`'],
    async ({ call }) => {
      const { id } = await call('POST /api/inbound/folders', { name: 'f' });
      const { value } = await call(`POST /api/inbound/folders/${id}/inboxes`, { name: 'Support tickets' });
      expect(value).toMatchObject({
        address: expect.stringMatching(/^support-tickets-[\da-f]{8}@/) as unknown,
      });
    },
  ),
  row(
    [
      'a webhook posts to port 443 or 80 only',
      'stated; the refusal inferred',
      'refuses another port with 422, unless the host is this machine or one of `webhooks.hosts`',
    ],
    async ({ call }) => {
      const statusOf = async (url: string) => {
        const types = { webhook_type: 'email_sending', sending_stream: 'transactional' };
        const { status } = await call('POST /api/webhooks', {
          webhook: { url, ...types, event_types: ['delivery'] },
        });
        return status;
      };
      const statuses = ['a.example.com:8443', 'a.example.com', '127.0.0.1:8443', 'app:8443'].map((host) =>
        statusOf(`https://${host}/hooks`),
      );
      expect(await Promise.all(statuses)).toEqual([422, 200, 200, 200]);
    },
    { webhooks: { hosts: ['app'] } },
  ),
  row(
    [
      "the header with the signature of a webhook's post has a name",
      'stated',
      'has another name by default: set `webhooks.signatureHeader`',
    ],
    async (byDefault) => {
      const named = asked({ webhooks: { signatureHeader: 'x-own' } });
      for (const [name, { call, emulator }] of Object.entries({
        'x-webhook-signature': byDefault,
        'x-own': named,
      })) {
        await call('POST /api/webhooks', {
          webhook: {
            ...{ url: 'https://a.example.com', webhook_type: 'email_sending' },
            ...{ sending_stream: 'transactional', event_types: ['delivery'] },
          },
        });
        await call('POST send /api/send', mail);
        emulator.clock.advance(3_600_000);
        await emulator.webhooks.flush();
        expect(Object.keys(emulator.webhooks.posts[0]?.headers ?? {})).toContain(name);
      }
    },
  ),
  row(
    [
      '`{{name}}` escapes `&`, `<`, `>`, `"` and `\'`',
      "stated; the entity of `'` inferred",
      'does so, and writes `&#x27;`',
    ],
    async (service) =>
      expect(await rendered(service, '{{a}}', { a: '&<>"\'=`' }, 'body_html')).toBe(
        '&amp;&lt;&gt;&quot;&#x27;=`',
      ),
  ),
  row(
    [
      '`{{name}}` escapes in the plain text, too',
      'inferred: one engine, which escapes in the subject',
      'does so',
    ],
    renders('{{a}}', { a: '&' }, '&amp;'),
  ),
  row(
    [
      'a body of a template that is set cannot be cleared, only replaced',
      'stated',
      'keeps it, also with `null` and an empty text',
    ],
    async ({ call }) => {
      const words = { name: 'n', subject: 's', category: 'c', body_html: '<p>a</p>' };
      const { id } = await call('POST /api/email_templates', { email_template: words });
      for (const [body_html, kept] of [
        [null, '<p>a</p>'],
        ['', '<p>a</p>'],
        ['<p>b</p>', '<p>b</p>'],
      ]) {
        await call(`PATCH /api/email_templates/${id}`, { email_template: { body_html } });
        expect((await call(`GET /api/email_templates/${id}`)).value).toMatchObject({ body_html: kept });
      }
    },
  ),
  row(
    [
      '`null` or its absence keeps a body of a campaign',
      'specified',
      'does so; an empty text clears it, of which nothing is said',
    ],
    async (service) => {
      const path = await campaign(service);
      for (const [template, body_html] of [
        [{ body_html: null }, '<p>Hello</p>'],
        [{ subject: 'x' }, '<p>Hello</p>'],
        [{ body_html: '' }, ''],
      ] as const) {
        await service.call(`PATCH ${path}`, { template_attributes: template });
        const { value } = await service.call(`GET ${path}`);
        expect((value as { data: { template: { body_html: unknown } } }).data.template.body_html).toBe(
          body_html,
        );
      }
    },
  ),
  row(
    [
      'a null in a list of ids is dropped',
      'inferred: a program of the service sends `[null]`, and its framework drops it',
      'drops it from lists of contact lists and segments',
    ],
    async (service) => {
      const path = await campaign(service);
      await service.call(`PATCH ${path}`, { contact_list_ids: [null, 5], contact_segment_ids: [null, 6] });
      expect((await service.call(`GET ${path}`)).value).toMatchObject({
        data: { contact_list_ids: [5], contact_segment_ids: [6] },
      });
    },
  ),
  row(
    [
      "a refused action of a campaign says `Cannot transition from 'started' to 'scheduled'`; one without an HTML body, `Campaign design can't be blank`",
      'stated; of other states inferred',
      'has these words',
    ],
    async (service) => {
      const path = await campaign(service);
      const schedule = { datetime: '2026-02-01T12:00:00.000Z' };
      await service.call(`POST ${path}/start`);
      const refused = await service.call(`POST ${path}/schedule`, schedule);
      expect([refused.status, refused.value]).toEqual([
        422,
        { errors: "Cannot transition from 'started' to 'scheduled'" },
      ]);
      const blank = await campaign(service, { body_html: null });
      const { status, value } = await service.call(`POST ${blank}/start`);
      expect([status, value]).toEqual([422, { errors: ["Campaign design can't be blank"] }]);
    },
  ),
];
