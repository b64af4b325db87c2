import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OUTCOMES } from '../../../../../src/testing/service/state/emails/course.ts';
import { idsOf, mail, post } from '../../../tools/mail.ts';
import { filter, logs, message, page } from '../../../tools/logs.ts';
import { start, still, wire } from '../../../tools/wire.ts';

const at = (ms: number) => new Date(start + ms).toISOString();

/** Sends an email, lets two minutes pass, and reads its message in the log. */
async function lived(to: string, options: Parameters<typeof still>[0] = {}) {
  const emulator = still(options);
  const [id = ''] = idsOf(await post(emulator, { to: [{ email: to }], text: 'See https://example.com/' }));
  emulator.clock.advance(120_000);
  const { status, events } = await message(emulator, id);
  return { status, events, types: events.map(({ event_type }) => event_type) };
}

describe('Events of an email over time', () => {
  test('enqueued, delivered, opened, clicked', async () => {
    const emulator = still();
    const [id = ''] = idsOf(await post(emulator, { text: 'See https://example.com/' }));
    const steps: unknown[] = [];
    for (const ms of [0, 999, 1, 59_000, 60_000]) {
      emulator.clock.advance(ms);
      const { status, opens_count, clicks_count, events } = await message(emulator, id);
      steps.push([status, events.length, opens_count, clicks_count]);
    }
    expect(steps).toEqual([
      ['enqueued', 0, 0, 0],
      ['enqueued', 0, 0, 0],
      ['delivered', 1, 0, 0],
      ['delivered', 2, 1, 0],
      ['delivered', 3, 1, 1],
    ]);
  });

  test('delivery: sending_ip, recipient_mx, email_service_provider', async () => {
    const { events } = await lived('quiet@gmail.com');
    expect(events).toEqual([
      {
        event_type: 'delivery',
        created_at: at(1000),
        details: {
          sending_ip: '198.51.100.10',
          recipient_mx: 'gmail-smtp-in.l.google.com',
          email_service_provider: 'Google',
        },
      },
    ]);
  });

  test('click: click_url (the first link of the email) and web_ip_address; open: web_ip_address', async () => {
    const emulator = still();
    const [id = ''] = idsOf(await post(emulator, { html: '<a href="https://shop.example.org/a?b=c">A</a>' }));
    emulator.clock.advance(120_000);
    const [, open, click] = (await message(emulator, id)).events;
    expect(open).toMatchObject({ created_at: at(60_000), details: { web_ip_address: '203.0.113.80' } });
    expect(click).toEqual({
      event_type: 'click',
      created_at: at(120_000),
      details: { click_url: 'https://shop.example.org/a?b=c', web_ip_address: '203.0.113.80' },
    });
  });

  test.each([
    ['bounce', 'not_delivered', ['bounce']],
    ['soft-bounce', 'enqueued', ['soft_bounce']],
    ['delayed', 'delivered', ['soft_bounce', 'delivery']],
    ['late-bounce', 'not_delivered', ['delivery', 'bounce']],
    ['reject', 'not_delivered', ['reject']],
    ['suspend', 'enqueued', ['suspension']],
    ['opted-out', 'not_delivered', ['reject']],
    ['spam', 'opted_out', ['delivery', 'open', 'spam']],
    ['unsubscribe', 'opted_out', ['delivery', 'open', 'unsubscribe']],
    ['open', 'delivered', ['delivery', 'open']],
    ['quiet', 'delivered', ['delivery']],
    ['stuck', 'enqueued', []],
    ['Bounce+7', 'not_delivered', ['bounce']],
    ['bouncer', 'delivered', ['delivery', 'open', 'click']],
    ['constructor', 'delivered', ['delivery', 'open', 'click']],
  ])('%s@… ends %s after %j', async (name, status, types) => {
    expect(await lived(`${name}@example.org`)).toMatchObject({ status, types });
  });

  test('the table of the guide has every address, with its events and its status', async () => {
    const guide = readFileSync(new URL('../../../../../docs/testing.md', import.meta.url), 'utf8');
    const rows = [...guide.matchAll(/^\| (any other|`([\w-]+)@…`) +\| (.+?) +\| (.+?) +\|$/gm)];
    expect(rows.map(([, , name = '']) => name).sort()).toEqual(Object.keys(OUTCOMES).sort());
    for (const [, , name = 'ann', events = '', statuses = ''] of rows) {
      const { types, status } = await lived(`${name}@example.org`);
      const quoted = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, word]) => word);
      expect([name, types, status]).toEqual([name, quoted(events), quoted(statuses).at(-1)]);
    }
  });

  test.each([
    ['a text without an address', { text: 'Hello' }, false],
    ['a text with an address', { text: 'See https://example.com/' }, true],
    ['HTML without a link', { html: '<p>Hello</p>' }, false],
    ['HTML with an image from elsewhere', { html: '<img src="https://example.com/a.png">' }, false],
    [
      'HTML of a document type with an address',
      { html: '<!doctype html public "a" "http://www.w3.org/a.dtd">' },
      false,
    ],
    ['HTML with a link to write to', { html: '<a href="mailto:a@example.com">A</a>' }, false],
    ['HTML with a link', { html: "<p><A class=b HREF='https://example.com/'>A</A></p>" }, true],
    ['HTML with a link to unsubscribe', { html: '<a href="__unsubscribe_url__">A</a>' }, true],
  ])('%s: whether it is clicked', async (_, body, isClicked) => {
    const emulator = still();
    const [id = ''] = idsOf(await post(emulator, { text: undefined, ...body }));
    emulator.clock.advance(3_600_000);
    const { events } = await message(emulator, id);
    expect(events.some(({ event_type }) => event_type === 'click')).toBe(isClicked);
  });

  test.each([
    ['bounce', { bounce_category: 'badrecipient', email_service_provider_status: '5.1.1' }],
    ['soft-bounce', { bounce_category: 'overquota', email_service_provider_status: '4.2.2' }],
    ['spam', { spam_feedback_type: 'abuse' }],
    ['unsubscribe', { web_ip_address: '203.0.113.80' }],
    ['reject', { reject_reason: 'Recipient in suppression list. Reason: manual import' }],
    ['opted-out', { reject_reason: 'Recipient in suppression list. Reason: unsubscription' }],
    ['suspend', { reject_reason: 'Sending from this domain is suspended' }],
  ])('%s: the details of the event', async (name, details) => {
    const { events } = await lived(`${name}@example.org`);
    expect(events.at(-1)?.details).toMatchObject(details);
  });

  test('the times are options', async () => {
    const sending = { deliverMs: 5, openMs: 7, clickMs: 120_001 };
    const { events } = await lived('ann@example.org', { sending });
    expect(events.map(({ created_at }) => created_at)).toEqual([at(5), at(7)]);
  });

  test('every recipient has events of its own', async () => {
    const emulator = still();
    await post(emulator, { to: [{ email: 'bounce@example.org' }], cc: mail.to });
    emulator.clock.advance(1000);
    expect((await page(emulator)).messages.map(({ to, status }) => [to, status])).toEqual([
      ['ann@example.org', 'delivered'],
      ['bounce@example.org', 'not_delivered'],
    ]);
  });
});

describe('Email log message: fields', () => {
  test('the list has every published field', async () => {
    const emulator = still();
    const answer = await post(
      emulator,
      { category: 'welcome', custom_variables: { user: '7' } },
      { host: 'bulk' },
    );
    const { messages } = await page(emulator);
    expect(messages).toEqual([
      {
        message_id: idsOf(answer)[0],
        status: 'enqueued',
        subject: 'Welcome',
        from: 'hello@mail.example.com',
        to: 'ann@example.org',
        sent_at: at(0),
        client_ip: '203.0.113.5',
        category: 'welcome',
        custom_variables: { user: '7' },
        sending_stream: 'bulk',
        domain_id: 301,
        sending_domain_id: 301,
        template_id: null,
        template_variables: null,
        opens_count: 0,
        clicks_count: 0,
        rfc_message_id: `<${idsOf(answer)[0] ?? ''}@mail.example.com>`,
        in_reply_to: null,
        references: [],
        thread_id: null,
      },
    ]);
  });

  test('unset fields are null, including variables', async () => {
    const emulator = still();
    await post(emulator);
    expect((await page(emulator)).messages[0]).toMatchObject({
      category: null,
      custom_variables: null,
      template_variables: null,
    });
  });

  test('the detail adds the threading headers, the events and the link to the raw message', async () => {
    const emulator = still();
    const headers = { 'In-Reply-To': '<q@x>', References: '<p@x> <q@x>' };
    const [id = ''] = idsOf(await post(emulator, { headers }));
    const summary = (await page(emulator)).messages[0];
    expect(await message(emulator, id)).toEqual({
      ...summary,
      rfc_message_id: `<${id}@mail.example.com>`,
      in_reply_to: '<q@x>',
      references: ['<p@x>', '<q@x>'],
      thread_id: null,
      raw_message_url: expect.stringContaining('/storage/messages/') as unknown,
      events: [],
    });
  });

  test.each(['specified', 'recorded'] as const)(
    'the domain has both of its names in both forms of the path, as %s',
    async (answers) => {
      const emulator = still({ answers });
      const [id = ''] = idsOf(await post(emulator));
      const call = wire(emulator);
      const domain = { domain_id: 301, sending_domain_id: 301 };
      for (const path of [logs, '/api/accounts/1001/email_logs']) {
        expect((await call('GET', `${path}/${id}`)).value).toMatchObject(domain);
        expect((await call('GET', path)).value).toMatchObject({ messages: [domain] });
      }
      expect((await call('GET', `/api/accounts/77/email_logs/${id}`)).status).toBe(404);
    },
  );

  test('unknown, malformed, of another account, of an inaccessible domain → 404', async () => {
    const emulator = still();
    const id = emulator.logs.add();
    const other = emulator.domains.add({ name: 'other.example.com' });
    const call = wire(emulator);
    const tokens = [emulator.createToken({ accountId: 77 }), emulator.createToken({ domains: [other] })];
    for (const token of tokens) expect((await call('GET', `${logs}/${id}`, { token })).status).toBe(404);
    for (const wrong of ['x', crypto.randomUUID()]) {
      const { status, text } = await call('GET', `${logs}/${wrong}`);
      expect([status, text]).toEqual([404, '{"error":"Not Found"}']);
    }
  });
});

describe('emulator.logs.add', () => {
  test('takes any fields, events and times', async () => {
    const emulator = still();
    const id = emulator.logs.add({
      to: 'bob@example.org',
      sent_at: '2026-01-01T00:00:00Z',
      category: 'old',
      in_reply_to: '<a@b>',
      thread_id: '9007199254740993',
      events: [
        { event_type: 'quarantine', created_at: '2026-01-01T00:00:02Z', details: { by: 'x' } },
        { event_type: 'delivery', created_at: '2026-01-01T00:00:01Z' },
      ],
    });
    expect(await message(emulator, id)).toMatchObject({
      status: 'delivered',
      sent_at: '2026-01-01T00:00:00.000Z',
      thread_id: '9007199254740993',
      events: [
        { event_type: 'delivery', details: { recipient_mx: 'mx.example.org' } },
        { event_type: 'quarantine', created_at: '2026-01-01T00:00:02.000Z', details: { by: 'x' } },
      ],
    });
  });

  test.each([
    [['soft_bounce', 'soft_bounce'], 'enqueued'],
    [['soft_bounce', 'delivery'], 'delivered'],
    [['soft_bounce', 'bounce'], 'not_delivered'],
    [['suspension', 'delivery'], 'delivered'],
    [['suspension', 'reject'], 'not_delivered'],
    [['delivery', 'bounce'], 'not_delivered'],
    [['delivery', 'spam', 'open', 'click'], 'opted_out'],
    [['delivery', 'unsubscribe', 'bounce'], 'opted_out'],
    [['open'], 'delivered'],
    [['quarantine'], 'enqueued'],
  ])('the status after %j is %s, as the filter has it', async (types, status) => {
    const emulator = still();
    const id = emulator.logs.add({ events: types.map((event_type) => ({ event_type })) });
    expect((await message(emulator, id)).status).toBe(status);
    const filtered = await page(emulator, filter('status', 'equal', status));
    expect(filtered.messages.map(({ message_id }) => message_id)).toEqual([id]);
  });

  test('takes a status; refuses an invalid date', async () => {
    const emulator = still();
    const id = emulator.logs.add({ status: 'opted_out' });
    expect((await message(emulator, id)).status).toBe('opted_out');
    expect(() => emulator.logs.add({ sent_at: 'yesterday' })).toThrow(RangeError);
  });
});
