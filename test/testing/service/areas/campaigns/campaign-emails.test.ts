import { EmailPlatform } from 'email-platform';
import { createEmulator, mailbox, type Emulator } from 'email-platform/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { start, still, wire } from '../../../tools/wire.ts';

const emulators: Emulator[] = [];
afterEach(() => {
  for (const emulator of emulators.splice(0)) emulator.reset();
});

const TEMPLATE = {
  subject: 'Hi {{first_name}}',
  body_html: '<p>Hello {{first_name}}</p><a href="__unsubscribe_url__">Leave</a>',
  body_text: 'Hello {{first_name}}. Leave: __unsubscribe_url__',
};

function setUp(options: Emulator.Options = {}, emulator = still({ limits: false, ...options })) {
  emulators.push(emulator);
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
  const addList = async (...names: readonly string[]) => {
    const { id } = await client.contacts.lists.create({ name: 'Readers' });
    for (const name of names) {
      const change = { fields: { first_name: name.toUpperCase() }, list_ids_included: [id] };
      await client.contacts.update(`${name}@example.org`, change);
    }
    return id;
  };
  const begin = async (fields: Readonly<Record<string, unknown>>) => {
    const id = emulator.campaigns.add({ name: 'News', template_attributes: TEMPLATE, ...fields });
    await client.campaigns.start(id);
    return id;
  };
  const gradual = { delivery_mode: 'gradual', delivery_options: { emails_per_hour: 1 } };
  return { emulator, client, addList, begin, gradual };
}

const HOUR = 3_600_000;
const receivers = (emulator: Emulator) => emulator.messages().map(({ to }) => to.replace(/@.*/, ''));

describe('A campaign sends email to the subscribed contacts of its lists', () => {
  test('one to each, also if the contact is on two lists, with its fields and its link', async () => {
    const { emulator, client, addList, begin } = setUp();
    const [first, second] = [await addList('ann', 'ben'), await addList('ben', 'cy')];
    await client.contacts.update('cy@example.org', { unsubscribed: true });
    const id = await begin({ contact_list_ids: [first, second], from_local_part: 'news' });
    expect((await client.campaigns.get(id)).recipient_total_count).toBe(2);
    emulator.clock.advance(60_000);
    const messages = emulator.messages();
    expect(messages).toMatchObject([
      { to: 'ann@example.org', subject: 'Hi ANN', stream: 'bulk', from: 'news@mail.example.com', at: start },
      { to: 'ben@example.org', subject: 'Hi BEN', at: start + 30_000 },
    ]);
    const link = messages[0]?.links[0]?.url ?? '';
    expect(messages[0]).toMatchObject({
      html: `<p>Hello ANN</p><a href="${link}">Leave</a>`,
      text: `Hello ANN. Leave: ${link}`,
      headers: { 'List-Unsubscribe': `<${link}>` },
    });
    const { items } = await client.emailLogs.list();
    expect(items.map(({ message_id }) => message_id)).toEqual(messages.map((one) => one.id).reverse());
    const detail = await client.emailLogs.get(messages[0]?.id ?? '');
    expect(detail).toMatchObject({
      subject: 'Hi ANN',
      sending_stream: 'bulk',
      template_variables: { first_name: 'ANN' },
      events: [{ event_type: 'delivery' }, { event_type: 'open' }],
    });
    expect(new TextDecoder().decode(await client.emailLogs.downloadRaw(detail))).toContain('Subject: Hi ANN');
    await expect(client.emailLogs.get((messages[0]?.id ?? '').replace(/.$/, 'f'))).rejects.toThrow('404');
  });

  test('its figures are the counts of its emails; a rejected one is sent and not delivered', async () => {
    const { emulator, client, addList, begin } = setUp();
    const list = await addList('ann', 'bounce', 'spam', 'unsubscribe', 'quiet', 'dee');
    const { id: domain_id } = (await client.sendingDomains.list().toArray())[0] ?? { id: 0 };
    await client.suppressions.create({ email: 'dee@example.org', domain_id, sending_stream: 'bulk' });
    const id = await begin({ contact_list_ids: [list] });
    emulator.clock.advance(10 * 60_000);
    expect(await client.campaigns.stats(id)).toMatchObject({
      sent_count: 6,
      delivery_count: 4,
      bounce_count: 1,
      open_count: 3,
      click_count: 1,
      spam_count: 1,
      unsubscription_count: 1,
      unsubscription_rate: 0.25,
    });
    expect(receivers(emulator)).not.toContain('dee');
    const { items } = await client.emailLogs.list({
      filters: { to: { operator: 'ci_equal', value: 'dee@example.org' } },
    });
    expect(items).toMatchObject([{ status: 'not_delivered' }]);
    expect(await client.campaigns.stats(id, { end_date: '2026-01-30' })).toMatchObject({ sent_count: 0 });
    // A reader's decision is the contact's, too.
    expect(await client.contacts.get('unsubscribe@example.org')).toMatchObject({ status: 'unsubscribed' });
  });

  test.each([
    ['without a link', { body_html: '<p>Hello</p>' }, []],
    ['with an image alone', { body_html: '<img src="https://example.com/a.png" alt="A">' }, []],
    ['with a link', { body_html: '<a href="https://example.com/a">A</a>' }, ['ann', 'ben']],
    ['with a link in the text alone', { body_text: 'See https://example.com/a' }, ['ann', 'ben']],
    [
      'with a link for one of them',
      { body_html: '{{#if is_ann}}<a href="https://example.com/a">A</a>{{/if}}Hello' },
      ['ann'],
    ],
    ['with a variable that is a link for one of them', { body_html: '<a href="{{site}}">A</a>' }, ['ann']],
  ])('an email %s: who clicks', async (_, body, clickers) => {
    const { emulator, client, addList, begin } = setUp();
    const list = await addList('ann', 'ben');
    await client.contacts.update('ann@example.org', {
      fields: { is_ann: true, site: 'https://example.com/a' },
    });
    await begin({ contact_list_ids: [list], template_attributes: { subject: 'News', ...body } });
    emulator.clock.advance(HOUR);
    const { items } = await client.emailLogs.list();
    expect(
      items.flatMap(({ to, clicks_count }) => (clicks_count > 0 ? [to.replace(/@.*/, '')] : [])).sort(),
    ).toEqual(clickers);
  });

  test('an unknown list is an audience without contacts, beside known contacts', async () => {
    const { emulator, client, addList, begin } = setUp();
    const id = await begin({ contact_list_ids: [await addList('ann'), 77] });
    const { recipient_total_count: all } = await client.campaigns.get(id);
    emulator.clock.advance(60_000);
    expect(all).toBeGreaterThan(100);
    expect((await client.campaigns.stats(id)).sent_count).toBe(all);
    expect(receivers(emulator)).toEqual(['ann']);
  });

  test('a template that is not Handlebars is sent as it is', async () => {
    const { emulator, addList, begin } = setUp();
    const template_attributes = { subject: '{{#if}', body_html: '<p>{{first_name}}</p>' };
    await begin({ contact_list_ids: [await addList('ann')], template_attributes });
    expect(emulator.messages()).toMatchObject([{ subject: '{{#if}', html: '<p>{{first_name}}</p>' }]);
  });
});

describe('In the course of time', () => {
  test('gradual delivery follows the clock; who unsubscribes, or is deleted, before the turn gets none', async () => {
    const { emulator, client, addList, begin, gradual } = setUp();
    const id = await begin({
      contact_list_ids: [await addList('ann', 'ben', 'cy', 'dee', 'eve')],
      ...gradual,
    });
    expect(receivers(emulator)).toEqual(['ann']);
    emulator.clock.advance(HOUR - 1);
    expect(receivers(emulator)).toEqual(['ann']);
    emulator.clock.advance(1);
    await client.contacts.update('cy@example.org', { unsubscribed: true });
    await client.contacts.delete('dee@example.org');
    await client.contacts.update('ben@example.org', { fields: { first_name: 'Changed' } });
    await client.contacts.update('eve@example.org', { fields: { first_name: 'Eva' } });
    emulator.clock.advance(10 * HOUR);
    expect(emulator.messages().map(({ subject }) => subject)).toEqual(['Hi ANN', 'Hi BEN', 'Hi Eva']);
    const { current_state, recipient_total_count } = await client.campaigns.get(id);
    expect([current_state, recipient_total_count]).toEqual(['finished', 5]);
    expect(await client.campaigns.stats(id)).toMatchObject({ sent_count: 3, delivery_count: 3 });
  });

  test('a campaign that is terminated half way sends no more; one that is cancelled sends nothing', async () => {
    const { emulator, client, addList, begin, gradual } = setUp();
    const list = await addList('ann', 'ben', 'cy', 'dee');
    const id = await begin({ contact_list_ids: [list], ...gradual });
    emulator.clock.advance(1.5 * HOUR);
    await client.campaigns.terminate(id);
    emulator.clock.advance(10 * HOUR);
    expect((await client.campaigns.stats(id)).sent_count).toBe(2);
    const other = emulator.campaigns.add({ contact_list_ids: [list] });
    const datetime = new Date(emulator.clock.now() + HOUR).toISOString();
    // Not with the client, which compares the time with that of the machine.
    await wire(emulator)('POST', `/api/email_campaigns/${other}/schedule`, { body: { datetime } });
    await client.campaigns.cancel(other);
    emulator.clock.advance(2 * HOUR);
    expect(receivers(emulator)).toEqual(['ann', 'ben']);
    expect((await client.campaigns.stats(other)).sent_count).toBe(0);
  });

  test('a campaign of a snapshot goes on, and a reset ends it', async () => {
    const { emulator, addList, begin, gradual } = setUp();
    const id = await begin({ contact_list_ids: [await addList('ann', 'ben', 'cy')], ...gradual });
    emulator.clock.advance(HOUR);
    const other = setUp();
    other.emulator.restore(emulator.snapshot());
    expect(other.emulator.messages()).toEqual(emulator.messages());
    expect(other.emulator.snapshot()).toEqual(emulator.snapshot());
    emulator.reset();
    for (const one of [emulator, other.emulator]) one.clock.advance(10 * HOUR);
    expect(emulator.messages()).toEqual([]);
    expect(receivers(other.emulator)).toEqual(['ann', 'ben', 'cy']);
    expect(await other.client.campaigns.stats(id)).toMatchObject({ sent_count: 3, open_count: 3 });
  });

  test('a mailbox gets the next email without a request, in the time of the clock', async () => {
    const { emulator, addList, begin } = setUp({}, createEmulator({ campaigns: { sendMs: 40 } }));
    const box = mailbox(emulator);
    await begin({ contact_list_ids: [await addList('ann', 'ben')] });
    const mail = await box.waitFor({ to: 'ben@example.org', subject: 'Hi BEN', timeoutMs: 60_000 });
    expect(mail.subject).toBe('Hi BEN');
  });
});

describe('Webhooks of the type campaigns', () => {
  const hook = (client: EmailPlatform, webhook_type: string, more: object = {}) =>
    client.webhooks.create({
      url: 'https://hooks.example.com/',
      webhook_type,
      event_types: ['delivery', 'open', 'unsubscribe'],
      ...more,
    } as Parameters<EmailPlatform['webhooks']['create']>[0]);
  const eventsOf = (emulator: Emulator) =>
    emulator.webhooks.posts.flatMap(({ webhookId, body }) =>
      (JSON.parse(body) as { events: { event: string; email: string }[] }).events.map(
        ({ event, email }) => `${webhookId} ${event} ${email}`,
      ),
    );

  test('get the events of campaigns, and the others do not', async () => {
    const { emulator, client, addList, begin } = setUp();
    const { id } = await hook(client, 'campaigns');
    await hook(client, 'email_sending', { sending_stream: 'bulk' });
    await begin({ contact_list_ids: [await addList('ann')] });
    emulator.clock.advance(HOUR);
    const message = emulator.messages()[0] ?? '';
    await emulator.unsubscribe(message);
    await emulator.unsubscribe(message);
    emulator.clock.advance(HOUR);
    await emulator.webhooks.settled();
    expect(eventsOf(emulator)).toEqual([
      `${id} delivery ann@example.org`,
      `${id} open ann@example.org`,
      `${id} unsubscribe ann@example.org`,
    ]);
  });

  test('the expected events of the first 1,000 emails are posted, and every unsubscription', async () => {
    const { emulator, client, begin } = setUp({ campaigns: { sendMs: 0 } });
    const { id: list } = await client.contacts.lists.create({ name: 'Many' });
    const contacts = Array.from({ length: 1200 }, (_, index) => ({
      email: `quiet+${index}@example.org`,
      list_ids_included: [list],
    }));
    await client.contacts.imports.create({ contacts });
    emulator.clock.advance(HOUR);
    await hook(client, 'campaigns');
    await begin({ contact_list_ids: [list] });
    emulator.clock.advance(HOUR);
    await emulator.webhooks.settled();
    expect(emulator.messages()).toHaveLength(1200);
    expect(eventsOf(emulator)).toHaveLength(1000);
    await emulator.unsubscribe(emulator.messages().at(-1) ?? '');
    await emulator.webhooks.flush();
    expect(eventsOf(emulator)).toHaveLength(1001);
  });
});
