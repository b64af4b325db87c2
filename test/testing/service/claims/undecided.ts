import { expect } from 'vitest';
import { mail } from '../../../spec/quotes/quote.ts';
import { type Claim, type Prove, claim, send, sent, logged, SUPPRESSION, campaign } from './claim.ts';

const open = (cells: readonly [string, string, string, string], prove: Prove) =>
  claim(`| ${cells.join(' | ')} |`, prove);

/** The section "Undecided". */
export const UNDECIDED: readonly Claim[] = [
  open(
    [
      'May an email have the headers `Return-Path`, `Date` or `Sender`?',
      'reserved headers are not allowed: the reference',
      'two published mail transports pass them on',
      'refuses them with 400',
    ],
    async (service) => {
      for (const name of ['Return-Path', 'Date', 'Sender'])
        expect([name, (await send(service, { headers: { [name]: 'x' } })).status]).toEqual([name, 400]);
    },
  ),
  open(
    [
      'Does the service complete own headers for one click on bulk mail?',
      'it adds both headers: a guide',
      'an own `List-Unsubscribe` stays as it is: a guide',
      'adds none to an email with its own',
    ],
    async (service) => {
      const headers = { 'List-Unsubscribe': '<https://example.com/leave>' };
      expect((await sent(service, { headers }, 'bulk'))?.headers).toEqual(headers);
    },
  ),
  open(
    [
      'How much does an unsubscription stop?',
      'all email of the sending domain: a guide',
      'one stream: recorded suppressions have a stream',
      'stops one stream',
    ],
    async (service) => {
      await service.call('POST /api/suppressions', {
        ...SUPPRESSION,
        sending_stream: 'bulk',
        type: 'unsubscription',
      });
      expect((await logged(service, 'ann', {}, 'bulk')).status).toBe('not_delivered');
      expect((await logged(service, 'ann')).status).toBe('delivered');
    },
  ),
  open(
    ['Is `emails_per_hour` limited?', 'to 150 000: a guide', 'the specification has no limit', 'has none'],
    async (service) => {
      const path = await campaign(service);
      const delivery_options = { delivery_mode: 'gradual', emails_per_hour: 10_000_000 };
      const { status, value } = await service.call(`PATCH ${path}`, { delivery_options });
      expect([status, value]).toMatchObject([
        200,
        { data: { delivery_options: { emails_per_hour: 10_000_000 } } },
      ]);
    },
  ),
  open(
    [
      'Is there a contact field of type `number`?',
      'two published clients have it',
      'the reference and others have `integer` and `float`',
      'refuses it',
    ],
    async ({ call }) => {
      const add = async (data_type: string) =>
        (await call('POST /api/contacts/fields', { name: data_type, data_type, merge_tag: data_type }))
          .status;
      expect([await add('number'), await add('integer'), await add('float')]).toEqual([422, 201, 201]);
    },
  ),
  open(
    [
      'May `text`, `html` or `category` of an email be empty?',
      'at least one character in `text` and `html`: the reference',
      'two published programs send `""` for what is left out',
      'takes it as missing; both bodies empty is a 400',
    ],
    async (service) => {
      expect(await sent(service, { html: '', category: '' })).toMatchObject({ text: mail.text, html: null });
      expect((await send(service, { text: '', html: '<p>x</p>' })).status).toBe(200);
      expect((await send(service, { text: '', html: '' })).status).toBe(400);
    },
  ),
  open(
    [
      'Does a bulk email without the placeholder get a footer?',
      'yes: a guide',
      'the recorded one is of a domain with `auto_unsubscribe_link_enabled`',
      'adds it with that setting only',
    ],
    async (service) => {
      expect((await sent(service, {}, 'bulk'))?.text).toBe(mail.text);
      await service.call('PATCH /api/domains/301', { domain: { auto_unsubscribe_link_enabled: true } });
      expect((await sent(service, {}, 'bulk'))?.text).toContain('Unsubscribe: http');
    },
  ),
];
