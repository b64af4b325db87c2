import { BadRequestError } from 'email-platform';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sized } from '../../support/extent.ts';
import { rejection } from '../../support/expect-error.ts';
import { emulated } from '../../support/contacts-service.ts';
import { json, scriptedFetch } from '../../support/scripted-fetch.ts';
import { virtualClient, WALL_START } from '../../support/virtual-client.ts';

const DAY_MS = 86_400_000;
const day = (time: number) => new Date(time).toISOString().slice(0, 10);
const always = { start_date: '2026-01-01', end_date: '2026-12-31' };

describe('Statistics', () => {
  test('the filters and the id of a domain have one name, in both families', async () => {
    const figures = { delivery_count: 1 };
    const { fetch, sent } = scriptedFetch(
      json(200, [{ domain_id: 301, stats: figures }]),
      json(200, [{ sending_domain_id: 301, stats: figures }]),
    );
    const { client } = virtualClient({ fetch });
    const params = { ...always, domain_ids: [301, 302], sending_streams: ['bulk'] } as const;
    const group = { domain_id: 301, stats: figures };
    expect(await client.stats.byDomain(params)).toEqual([group]);
    expect(await client.stats.byDomain(params, { accountId: 7 })).toEqual([
      { ...group, sending_domain_id: 301 },
    ]);
    const dates = 'start_date=2026-01-01&end_date=2026-12-31&sending_streams%5B%5D=bulk';
    expect(sent.map(({ url }) => url)).toEqual([
      `https://api.test/api/stats/domains?${dates}&domain_ids%5B%5D=301&domain_ids%5B%5D=302`,
      `https://api.test/api/accounts/7/stats/domains?${dates}&sending_domain_ids%5B%5D=301&sending_domain_ids%5B%5D=302`,
    ]);
  });

  test('are those of the emails sent, as time goes by, and only of days asked for', async () => {
    const { client, emulator } = emulated();
    const from = { email: 'hello@mail.example.com' };
    const send = (to: string[], category: string) =>
      client.sending.send({
        from,
        to: to.map((email) => ({ email })),
        subject: 'Hi',
        text: 'Hello https://example.com/',
        category,
      });
    await send(['ann@gmail.com', 'bounce@example.org'], 'orders');
    expect(await client.stats.get(always)).toMatchObject({ delivery_count: 0, delivery_rate: 0 });
    emulator.clock.advance(60_000);
    expect(await client.stats.get(always)).toEqual({
      delivery_count: 1,
      delivery_rate: 0.5,
      bounce_count: 1,
      bounce_rate: 0.5,
      open_count: 1,
      open_rate: 1,
      click_count: 0,
      click_rate: 0,
      spam_count: 0,
      spam_rate: 0,
    });
    const sentOn = day(emulator.clock.now());
    emulator.clock.advance(DAY_MS);
    await send(['ben@example.org'], 'news');
    emulator.clock.advance(1000);
    const byDate = await client.stats.byDate(always);
    expect(byDate.map(({ date, stats }) => [date, stats.delivery_count])).toEqual([
      [sentOn, 1],
      [day(emulator.clock.now()), 1],
    ]);
    const byCategory = await client.stats.byCategory({ ...always, end_date: sentOn });
    expect(byCategory).toMatchObject([{ category: 'orders', stats: { delivery_count: 1, click_count: 1 } }]);
    const providers = await client.stats.byEmailServiceProvider({ ...always, categories: ['orders'] });
    expect(providers.map(({ email_service_provider }) => email_service_provider)).toEqual([
      'Google',
      'Other',
    ]);
    expect(await client.stats.get({ ...always, email_service_providers: ['Yahoo'] })).toMatchObject({
      delivery_count: 0,
    });
  });

  test('a refusal of the service is an error', async () => {
    const { fetch } = scriptedFetch(json(400, { error: 'end_date is required' }));
    await rejection(virtualClient({ fetch }).client.stats.get(always), BadRequestError);
  });

  test(
    'add up to the log, whatever was sent and however much time has passed',
    { timeout: 180_000 },
    async () => {
      const message = fc.record({
        to: fc.constantFrom(
          'ann@gmail.com',
          'bounce@example.org',
          'soft-bounce@example.org',
          'delayed@example.org',
          'late-bounce@example.org',
          'spam@yahoo.com',
          'quiet@x.org',
          'stuck@x.org',
        ),
        category: fc.constantFrom('orders', 'news', null),
        sending_stream: fc.constantFrom('transactional' as const, 'bulk' as const),
        agoMs: fc.nat(3 * DAY_MS),
        opens: fc.nat(2),
      });
      const step = fc.oneof(
        fc.array(message, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 200_000 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          const { client, emulator } = emulated();
          for (const one of steps) {
            if (typeof one === 'number') emulator.clock.advance(one);
            else {
              for (const { agoMs, opens, ...fields } of one) {
                const sent_at = emulator.clock.now() - agoMs;
                const events = Array.from({ length: opens }, () => ({
                  event_type: 'open',
                  created_at: sent_at + 5,
                }));
                emulator.logs.add({ ...fields, sent_at, ...(opens > 0 && { events }) });
              }
            }
            const { emailLogs, stats } = client;
            const details = await Promise.all(
              (await emailLogs.list().toArray()).map(({ message_id }) => emailLogs.get(message_id)),
            );
            const having = (...types: string[]) =>
              details.filter(({ events }) => events.some(({ event_type }) => types.includes(event_type)))
                .length;
            const figures = await stats.get(always);
            expect([
              figures.delivery_count,
              figures.bounce_count,
              figures.open_count,
              figures.click_count,
              figures.spam_count,
            ]).toEqual([
              having('delivery'),
              having('bounce'),
              having('open'),
              having('click'),
              having('spam'),
            ]);
            const sum = (groups: readonly { stats: { open_count: number } }[]) =>
              groups.reduce((total, group) => total + group.stats.open_count, 0);
            for (const by of ['byDomain', 'byDate', 'byEmailServiceProvider'] as const) {
              expect(sum(await stats[by](always))).toBe(figures.open_count);
            }
          }
        }),
        { numRuns: sized(15, 5) },
      );
      expect(day(WALL_START)).toBe('2026-03-01');
    },
  );
});
