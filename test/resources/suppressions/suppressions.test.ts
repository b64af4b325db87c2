import {
  type EmailPlatform,
  InvalidRequestError,
  NotFoundError,
  ResponseFormatError,
  ValidationError,
} from 'email-platform';
import * as schemas from 'email-platform/schemas';
import type { Emulator } from 'email-platform/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sized } from '../../support/extent.ts';
import { rejection } from '../../support/expect-error.ts';
import { drained, emulated } from '../../support/contacts-service.ts';
import { json, scriptedFetch } from '../../support/scripted-fetch.ts';
import { virtualClient } from '../../support/virtual-client.ts';

const from = { email: 'hello@mail.example.com' };
const mail = (email: string) => ({
  from,
  to: [{ email }],
  subject: 'Hi',
  text: 'Hello https://example.com/',
});

function setUp(suppressions: Emulator.Options['suppressions'] = {}) {
  const { client, emulator, time } = emulated({ suppressions });
  const domain_id = emulator.domains.list()[0]?.id ?? 0;
  return { client, emulator, time, domain_id };
}

describe('Rows that the service was seen to send', () => {
  const messageFields = [
    ...['bounce_category', 'category', 'client_ip', 'created_at', 'esp_response', 'esp_server_type'],
    ...['outgoing_ip', 'recipient_mx_name', 'sender_email', 'subject'],
  ];
  const ofMessage = (value: string | null) =>
    Object.fromEntries(messageFields.map((name) => [`message_${name}`, value]));
  const id = '018dd5e3-f6d2-7c00-8f9b-e5c3f2d8a132';
  const row = { id, type: 'manual import', created_at: '2026-08-26T09:30:00.123Z', email: 'ann@example.org' };
  const ofDomain = { sending_stream: 'bulk', domain_name: 'mail.example.com' };

  test.each<[string, object]>([
    ['made by the API: no message led to it', { ...row, ...ofDomain, ...ofMessage(null) }],
    ['of every stream: no domain', { ...row, sending_stream: 'any', domain_name: null, ...ofMessage(null) }],
    ['an older one: empty texts', { ...row, ...ofDomain, ...ofMessage('') }],
    [
      'after a bounce: one time with milliseconds, one without',
      {
        ...{ ...row, type: 'hard bounce', ...ofDomain, ...ofMessage('') },
        message_created_at: '2026-08-26T09:29:58Z',
      },
    ],
  ])('%s', async (_, suppression) => {
    const { fetch } = scriptedFetch(json(200, [suppression]));
    const { client } = virtualClient({ fetch, schemas, validateResponses: 'throw' });
    expect((await client.suppressions.list()).items).toEqual([suppression]);
  });
});

describe('A suppressed address', () => {
  test('receives no email until it is released, and the log says so', async () => {
    const { client, emulator, domain_id } = setUp();
    const { suppressions, sending, emailLogs } = client;
    const one = await suppressions.create({ email: 'ann@example.org', domain_id, sending_stream: 'bulk' });
    expect(one).toMatchObject({
      type: 'manual import',
      sending_stream: 'bulk',
      domain_name: 'mail.example.com',
    });
    const out = { email: 'ben@example.org', domain_id, sending_stream: 'transactional' } as const;
    await suppressions.create({ ...out, type: 'unsubscription' });
    const statuses = async () => {
      emulator.clock.advance(1000);
      const items = await emailLogs.list().toArray();
      return Object.fromEntries(items.map((item) => [`${item.to} ${item.sending_stream}`, item.status]));
    };
    await sending.send(mail('ANN@example.org'), { stream: 'bulk' });
    await sending.send(mail('ann@example.org'));
    await sending.send(mail('ben@example.org'));
    expect(await statuses()).toEqual({
      'ANN@example.org bulk': 'not_delivered',
      'ann@example.org transactional': 'delivered',
      'ben@example.org transactional': 'not_delivered',
    });
    await suppressions.delete(one.id);
    await sending.send(mail('ann@example.org'), { stream: 'bulk' });
    expect(await statuses()).toMatchObject({ 'ann@example.org bulk': 'delivered' });
    await rejection(suppressions.delete(one.id), NotFoundError);
  });

  test.each([
    ['bounce', 'hard bounce', 'Bad recipient'],
    ['late-bounce', 'hard bounce', 'Bad recipient'],
    ['spam', 'spam complaint', ''],
    ['unsubscribe', 'unsubscription', ''],
  ])('after %s@… is a %s, with the name of the category of the bounce', async (name, type, category) => {
    const { client, emulator } = setUp({ stopAfterEvents: true });
    const email = `${name}@example.org`;
    await client.sending.send(mail(email));
    emulator.clock.advance(120_000);
    const { items } = await client.suppressions.list({ email });
    expect(items).toMatchObject([{ type, message_bounce_category: category }]);
  });

  test.each(['hard bounce', 'spam complaint', 'unsubscription', 'manual import'] as const)(
    'by a %s: the rejection says so',
    async (type) => {
      const { client, emulator, domain_id } = setUp();
      const email = 'ann@example.org';
      await client.suppressions.create({ email, domain_id, sending_stream: 'transactional', type });
      const [id = ''] = (await client.sending.send(mail(email))).message_ids;
      emulator.clock.advance(1000);
      const { status, events } = await client.emailLogs.get(id);
      const reject_reason = `Recipient in suppression list. Reason: ${type}`;
      expect([status, events.map(({ details }) => details)]).toEqual(['not_delivered', [{ reject_reason }]]);
    },
  );

  test('is refused for a domain that does not exist', async () => {
    const { suppressions } = setUp().client;
    const call = suppressions.create({ email: 'a@b.c', domain_id: 9, sending_stream: 'transactional' });
    expect((await rejection(call, ValidationError)).fieldErrors).toEqual({ domain_id: ['must exist'] });
  });
});

describe('A suppression is created for one of the two streams', () => {
  test.each(['any', 'sandbox', 7, null])('%j is refused, and costs no request', async (stream) => {
    const { client, emulator, domain_id } = setUp();
    const params = { email: 'a@b.c', domain_id, sending_stream: stream as never };
    const error = await rejection(client.suppressions.create(params), InvalidRequestError);
    expect(error.issues).toEqual([
      { path: 'sending_stream', message: "must be one of 'transactional', 'bulk'" },
    ]);
    expect(emulator.requests).toEqual([]);
  });

  test('though a response may say that one holds for any', async () => {
    const listed = { id: 'a', type: 'hard bounce', sending_stream: 'any' };
    const { client } = virtualClient({ fetch: scriptedFetch(json(200, [listed]), json(200, [])).fetch });
    expect(await client.suppressions.list().toArray()).toEqual([listed]);
  });
});

describe('A tracking opt-out', () => {
  test('lets email arrive, and stops its opens and clicks from being tracked', async () => {
    const { client, emulator, domain_id } = setUp();
    const address = { email: 'ann@example.org', domain_id };
    const { id } = await client.trackingOptOuts.create(address);
    const counts = async () => {
      await client.sending.send(mail('Ann@example.org'));
      emulator.clock.advance(120_000);
      const [latest] = await client.emailLogs.list().toArray({ limit: 1 });
      return [latest?.status, latest?.opens_count, latest?.clicks_count];
    };
    expect(await counts()).toEqual(['delivered', 0, 0]);
    await client.trackingOptOuts.delete(id);
    expect(await counts()).toEqual(['delivered', 1, 1]);
    await rejection(client.trackingOptOuts.delete(id), NotFoundError);
  });

  test('has the same path under an account', async () => {
    const { fetch, sent } = scriptedFetch(json(200, { data: [], last_id: null }));
    const { client } = virtualClient({ fetch, accountId: 7 });
    await client.trackingOptOuts.list({ email: 'a@b.c', start_time: new Date(0) });
    expect(sent[0]?.url).toBe(
      'https://api.test/api/tracking_opt_outs?email=a%40b.c&start_time=1970-01-01T00%3A00%3A00.000Z',
    );
  });
});

describe('The lists', () => {
  const kinds = ['suppressions', 'trackingOptOuts'] as const;

  test.each(kinds)('%s: filtered, and resumed from the last one read', async (kind) => {
    const { client, emulator, domain_id } = setUp({ pageSize: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const address = { email: `${name}@example.org`, domain_id };
      if (kind === 'suppressions')
        await client.suppressions.create({ ...address, sending_stream: 'transactional' });
      else await client.trackingOptOuts.create(address);
      emulator.clock.advance(1000);
    }
    const list = (params = {}) => client[kind].list(params).toArray();
    const names = (items: readonly { email: string }[]) => items.map(({ email }) => email[0]).join('');
    const all = await list();
    expect(names(all)).toBe('edcba');
    expect(names(await list({ last_id: all[1]?.id }))).toBe('cba');
    expect(names(await list({ email: 'B@example.org' }))).toBe('b');
    const [, , middle] = all;
    expect(names(await list({ start_time: middle?.created_at }))).toBe('edc');
    expect(names(await list({ end_time: new Date(middle?.created_at ?? '') }))).toBe('cba');
  });

  test.each(kinds)('%s: a cursor that leads back ends in an error, and nothing comes twice', async (kind) => {
    const page = [{ id: 'a' }, { id: 'b' }];
    const body = kind === 'suppressions' ? page : { data: page, last_id: 'b' };
    const { client } = virtualClient({ fetch: scriptedFetch(json(200, body)).fetch });
    const ids: string[] = [];
    const reading = (async () => {
      for await (const { id } of client[kind].list()) ids.push(id);
    })();
    expect((await rejection(reading, ResponseFormatError)).code).toBe('pagination_loop');
    expect(ids).toEqual(['a', 'b']);
  });

  test.each(kinds)(
    '%s: while it changes, none comes twice; none that stays is missed, or it says so',
    { timeout: 180_000 },
    async (kind) => {
      const changes = fc.array(
        fc.record({ added: fc.nat(2), removed: fc.array(fc.nat(20), { maxLength: 2 }) }),
        {
          maxLength: 12,
        },
      );
      await fc.assert(
        fc.asyncProperty(
          fc.nat(12),
          fc.integer({ min: 1, max: 4 }),
          changes,
          async (size, pageSize, script) => {
            const { client, emulator, domain_id } = setUp({ pageSize });
            let count = 0;
            const stayed = new Map<string, string>();
            const add = async () => {
              const address = { email: `${(count += 1)}@example.org`, domain_id };
              const { id } = await (kind === 'suppressions'
                ? client.suppressions.create({ ...address, sending_stream: 'transactional' })
                : client.trackingOptOuts.create(address));
              emulator.clock.advance(1000);
              return id;
            };
            for (let index = 0; index < size; index += 1) {
              const id = await add();
              stayed.set(id, id);
            }
            let requests = 0;
            const fetch: EmailPlatform.Fetch = async (input, init) => {
              const { added, removed } = script[requests] ?? { added: 0, removed: [] };
              if (requests > 0) {
                for (let index = 0; index < added; index += 1) await add();
                for (const id of [...stayed.keys()].filter((_, index) => removed.includes(index))) {
                  stayed.delete(id);
                  await client[kind].delete(id);
                }
              }
              requests += 1;
              return emulator.fetch(input, init);
            };
            const { outcomes, thrown } = await drained(client.withOptions({ fetch })[kind].list());
            const ids = outcomes.map(({ id }) => id);
            expect(ids).toEqual([...new Set(ids)]);
            if (thrown === undefined) {
              expect([...stayed.keys()].filter((id) => !ids.includes(id))).toEqual([]);
              return;
            }
            // The cursor's own item was removed, and the service began again.
            expect(thrown).toMatchObject({ code: 'pagination_loop' });
            expect(script.some(({ removed }) => removed.length > 0)).toBe(true);
          },
        ),
        { numRuns: sized(20, 6) },
      );
    },
  );
});
