import type { EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { expect } from 'vitest';
import { pick, position, steps, type Model, type Service } from './model.ts';
import type { ContactModel } from './reference-contacts.ts';
import { TIMING } from './reference-mail.ts';
import { agree } from './verdict.ts';

export const IMPORT_MS = 600_000;
const NO_UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';

const emails = fc.constantFrom('ann@example.org', 'ben@example.org', 'cy@example.org', 'dee@example.org');
const cities = fc.constantFrom('Rome', 'Oslo');
const streams = fc.constantFrom('transactional' as const, 'bulk' as const);

const listsAt = ({ people }: Model, at: readonly number[]) => {
  const ids = [...people.lists.keys()];
  return [...new Set(at.map((one) => ids[one % Math.max(1, ids.length)]))].filter((id) => id !== undefined);
};

function expectSameContact(
  real: EmailPlatform.Contact,
  { email, fields, lists, isSubscribed }: ContactModel,
): void {
  expect(real).toMatchObject({ email, fields, status: isSubscribed ? 'subscribed' : 'unsubscribed' });
  expect(new Set(real.list_ids)).toEqual(lists);
}

const addContact = steps(
  'add contact',
  fc.tuple(emails, cities, fc.array(position, { maxLength: 2 })),
  ([email, city, at], model, { client }) => {
    const { people } = model;
    const list_ids = listsAt(model, at);
    return agree(
      client.contacts.create({ email, fields: { city }, list_ids }),
      () => people.checkNew(email),
      (real) => {
        people.write(email, real.id, { city, included: list_ids });
        expectSameContact(real, people.contact(email));
      },
    );
  },
);

const changeContact = steps(
  'change contact',
  fc.record({
    email: emails,
    city: cities,
    included: fc.array(position, { maxLength: 2 }),
    excluded: fc.array(position, { maxLength: 1 }),
    unsubscribed: fc.option(fc.boolean(), { nil: undefined }),
  }),
  async ({ email, city, included, excluded, unsubscribed }, model, { client }) => {
    const { people } = model;
    const lists = { included: listsAt(model, included), excluded: listsAt(model, excluded) };
    const { data, action } = await client.contacts.update(email, {
      fields: { city },
      list_ids_included: lists.included,
      list_ids_excluded: lists.excluded,
      unsubscribed,
    });
    const change = { city, ...lists, ...(unsubscribed !== undefined && { unsubscribed }) };
    expect(action).toBe(people.write(email, data.id, change));
    expectSameContact(data, people.contact(email));
    return action;
  },
);

const removeContact = steps('remove contact', emails, (email, { people }, { client }) =>
  agree(
    client.contacts.delete(email),
    () => (people.contact(email), people.contacts.delete(email)),
    (real) => expect(real).toBeUndefined(),
  ),
);

const importContacts = steps(
  'import',
  fc.tuple(fc.array(emails, { minLength: 1, maxLength: 4 }), cities, fc.array(position, { maxLength: 1 })),
  async ([some, city, at], model, { client }) => {
    const lists = listsAt(model, at);
    const contacts = some.map((email) => ({ email, fields: { city }, list_ids_included: lists }));
    const { id } = await client.contacts.imports.create({ contacts });
    model.people.startImport({ id, at: model.now + IMPORT_MS, emails: some, city, lists });
  },
);

const startCampaign = steps(
  'start campaign',
  fc.array(position, { minLength: 1, maxLength: 3 }),
  async (at, model, { client, emulator }) => {
    const ids = listsAt(model, at);
    if (ids.length === 0) return;
    const domainId = model.mail.domains[0]?.id ?? 0;
    const id = emulator.campaigns.add({
      contact_list_ids: ids,
      domain_id: domainId,
      template_attributes: { subject: 'For {{city}}' },
    });
    const { recipient_total_count } = await client.campaigns.start(id);
    expect(recipient_total_count).toBe(model.people.audience(ids).length);
    model.people.start(id, domainId, ids, model.now);
    return recipient_total_count === 0 ? 'nobody' : 'somebody';
  },
);

const terminateCampaign = steps('terminate campaign', position, (at, { people, now }, { client }) => {
  const campaign = people.started[at % Math.max(1, people.started.length)];
  if (campaign === undefined) return;
  return agree(
    client.campaigns.terminate(campaign.id),
    () => people.terminate(campaign, now),
    (real) => expect(real.current_state).toBe('terminating'),
  );
});

const readCampaign = steps('read campaign', position, async (at, { people, now }, { client }) => {
  const campaign = people.started[at % Math.max(1, people.started.length)];
  if (campaign === undefined) return;
  const delivered = campaign.sent.filter(({ isStopped }) => !isStopped);
  const tracked = delivered.filter(({ isTracked }) => isTracked);
  const count = (some: typeof delivered, afterMs: number) =>
    some.filter(({ sentAt }) => now >= sentAt + afterMs).length;
  const { deliverMs, openMs, clickMs } = TIMING;
  const { sent } = campaign;
  expect(await client.campaigns.stats(campaign.id)).toMatchObject({
    sent_count: sent.length,
    delivery_count: count(delivered, deliverMs),
    open_count: count(tracked, openMs),
    click_count: count(tracked, clickMs),
    bounce_count: 0,
    unsubscription_count: sent.filter(({ isUnsubscribed }) => isUnsubscribed).length,
  });
  return sent.length === 0 ? 'none' : 'some';
});

/** The emails that a person has received. */
const received = ({ people }: Model, email: string) =>
  people.sent.filter((one) => one.email === email && !one.isStopped);

const readReceived = steps('read received', emails, (email, model, { emulator }) => {
  const expected = received(model, email).map(({ subject, stream, sentAt }) => [subject, stream, sentAt]);
  const real = emulator.messages({ to: email });
  expect(real.map(({ subject, stream, at }) => [subject, stream, at])).toEqual(expected);
  return real.length === 0 ? 'none' : 'some';
});

const unsubscribe = steps(
  'unsubscribe',
  fc.tuple(emails, position, fc.boolean()),
  async ([email, at, byLink], model, { client, emulator }) => {
    const all = received(model, email);
    const index = at % Math.max(1, all.length);
    const [sent, message] = [all[index], emulator.messages({ to: email })[index]];
    if (sent === undefined || message === undefined) return;
    const link = message.links.find(({ url }) => url.includes('/reader/'));
    if (byLink && link !== undefined) await emulator.fetch(link.url, { method: 'POST' });
    else await emulator.unsubscribe(message);
    const isNew = model.people.unsubscribe(sent);
    const { suppressions } = model.people;
    const listed = await client.suppressions.list({ email }).toArray();
    const added = listed.filter(({ id }) => !suppressions.has(id));
    expect(added).toHaveLength(isNew ? 1 : 0);
    for (const { id, type, sending_stream } of added) {
      expect([type, sending_stream]).toEqual(['unsubscription', sent.stream]);
      const { domainId, stream } = sent;
      suppressions.set(id, { id, email, domainId, stream, isUnsubscription: true });
    }
    return isNew ? 'done' : 'again';
  },
);

const suppress = steps(
  'suppress',
  fc.tuple(emails, fc.constantFrom('transactional' as const, 'bulk' as const), fc.boolean()),
  ([email, stream, isKnown], model, { client }) => {
    const domainId = isKnown ? (model.mail.domains[0]?.id ?? 0) : 99_999;
    return agree(
      client.suppressions.create({ email, domain_id: domainId, sending_stream: stream }),
      () => model.people.checkDomain(isKnown),
      ({ id }) =>
        void model.people.suppressions.set(id, { id, email, domainId, stream, isUnsubscription: false }),
    );
  },
);

const release = steps('release', position, (at, { people }, { client }) => {
  const id = pick([...people.suppressions.keys()], at) ?? NO_UUID;
  return agree(
    client.suppressions.delete(id),
    () => people.release(id),
    (real) => expect(real).toMatchObject({ id }),
  );
});

const listSuppressions = steps(
  'list suppressions',
  fc.option(emails),
  async (email, { people }, { client }) => {
    const real = await client.suppressions.list(email === null ? {} : { email }).toArray();
    const expected = [...people.suppressions.values()].filter((one) => email === null || one.email === email);
    expect(new Set(real.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
    expect(real).toHaveLength(expected.length);
  },
);

/** To a contact, and what then becomes of it. */
const sendTo = steps('send to', fc.tuple(emails, streams), async ([email, stream], model, { client }) => {
  const { mail, people } = model;
  const [domain] = mail.domains;
  const from = { email: `news@${domain?.name ?? ''}` };
  const { message_ids } = await client.sending.send(
    { from, to: [{ email }], subject: 'Hi', text: 'Hello https://example.com/' },
    { stream },
  );
  const sent = { id: message_ids[0], email, domainId: domain?.id ?? 0, stream, subject: 'Hi' };
  const { isStopped } = people.send({ ...sent, sentAt: model.now });
  return isStopped ? 'stopped' : 'on its way';
});

const readStats = steps('read stats', fc.constant(''), async (_, { people, now }, { client }) => {
  const { delivery_count, bounce_count } = await client.stats.get({
    start_date: '2026-01-01',
    end_date: '2027-12-31',
  });
  const delivered = people.sent.filter(
    ({ isStopped, sentAt }) => !isStopped && now >= sentAt + TIMING.deliverMs,
  );
  expect([delivery_count, bounce_count]).toEqual([delivered.length, 0]);
  return delivered.length === 0 ? 'none' : 'some';
});

const readSent = steps('read sent', position, async (at, { people, now }, { client }) => {
  const message = people.sent[at % Math.max(1, people.sent.length)];
  if (message?.id === undefined) return;
  const { status, events } = await client.emailLogs.get(message.id);
  const isOver = now >= message.sentAt + TIMING.deliverMs;
  expect(events.some(({ event_type: type }) => type === 'unsubscribe')).toBe(message.isUnsubscribed);
  if (isOver && !message.isUnsubscribed)
    expect(status).toBe(message.isStopped ? 'not_delivered' : 'delivered');
  return status;
});

/** Adds two lists, and contacts on them, so that most campaigns reach someone. */
export async function addReaders({ people }: Model, { client }: Service): Promise<void> {
  for (const name of ['News', 'Offers'])
    people.lists.set((await client.contacts.lists.create({ name })).id, name);
  const lists = [...people.lists.keys()];
  for (const [index, name] of ['ann', 'ben', 'cy'].entries()) {
    const email = `${name}@example.org`;
    const list_ids = lists.slice(0, 1 + (index % 2));
    const { id } = await client.contacts.create({ email, fields: { city: 'Rome' }, list_ids });
    people.write(email, id, { city: 'Rome', included: list_ids });
  }
}

/** Whom a campaign reaches, and who receives nothing any more. */
export const contactSteps = [
  addContact,
  changeContact,
  removeContact,
  importContacts,
  startCampaign,
  startCampaign,
  terminateCampaign,
  readCampaign,
  readCampaign,
  readReceived,
  readReceived,
  unsubscribe,
  unsubscribe,
  suppress,
  suppress,
  release,
  listSuppressions,
  sendTo,
  sendTo,
  sendTo,
  readStats,
  readSent,
];
