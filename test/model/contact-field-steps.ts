import fc from 'fast-check';
import { expect } from 'vitest';
import { pick, position, steps, type Model } from './model.ts';
import { agree } from './verdict.ts';

const NO_ID = 99_999;
const NO_UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';
const emails = fc.constantFrom('ann@example.org', 'ben@example.org', 'cy@example.org', 'dee@example.org');
const names = fc.constantFrom('Size', 'Plan');

const readList = steps('read list', position, (at, { people }, { client }) => {
  const id = pick([...people.lists.keys()], at) ?? NO_ID;
  return agree(
    client.contacts.lists.get(id),
    () => people.list(id),
    (real, name) => expect(real).toEqual({ id, name }),
  );
});

const fieldAt = ({ people }: Model, at: number) => pick([...people.fields.keys()], at) ?? NO_ID;

/** Tags are new every time: whether two fields may have the same one is not published. */
const addField = steps('add field', names, async (name, { people }, { client }) => {
  const given = { name, data_type: 'text', merge_tag: `tag_${(people.tags += 1)}` } as const;
  const { id, ...rest } = await client.contacts.fields.create(given);
  expect(rest).toEqual(given);
  expect(people.fields.has(id)).toBe(false);
  people.fields.set(id, given);
});

const readField = steps('read field', position, (at, model, { client }) => {
  const id = fieldAt(model, at);
  return agree(
    client.contacts.fields.get(id),
    () => model.people.field(id),
    (real, expected) => expect(real).toEqual({ id, ...expected }),
  );
});

const renameField = steps('rename field', fc.tuple(position, names), ([at, name], model, { client }) => {
  const id = fieldAt(model, at);
  return agree(
    client.contacts.fields.update(id, { name }),
    () => Object.assign(model.people.field(id), { name }),
    (real, expected) => expect(real).toEqual({ id, ...expected }),
  );
});

const removeField = steps('remove field', position, (at, model, { client }) => {
  const id = fieldAt(model, at);
  return agree(
    client.contacts.fields.delete(id),
    () => (model.people.field(id), model.people.fields.delete(id)),
    (real) => expect(real).toBeUndefined(),
  );
});

const listFields = steps('list fields', fc.constant(''), async (_, { people }, { client }) => {
  const real = await client.contacts.fields.list().toArray();
  const added = real.filter(({ merge_tag }) => merge_tag.startsWith('tag_'));
  expect(added).toEqual([...people.fields].map(([id, field]) => ({ id, ...field })));
});

const addEvent = steps('add event', emails, (email, { people }, { client }) => {
  const event = { name: 'order_placed', params: { total: 5, express: true } };
  return agree(
    client.contacts.createEvent(email, event),
    () => people.contact(email),
    (real) => expect(real).toMatchObject({ contact_email: email, ...event }),
  );
});

const optOut = steps('opt out', fc.tuple(emails, fc.boolean()), ([email, isKnown], model, { client }) => {
  const domain_id = isKnown ? (model.mail.domains[0]?.id ?? 0) : NO_ID;
  return agree(
    client.trackingOptOuts.create({ email, domain_id }),
    () => model.people.checkDomain(isKnown),
    ({ id, email: address }) => {
      expect(address).toBe(email);
      model.people.optOuts.set(id, email);
    },
  );
});

const optIn = steps('opt in', position, (at, { people }, { client }) => {
  const id = pick([...people.optOuts.keys()], at) ?? NO_UUID;
  return agree(
    client.trackingOptOuts.delete(id),
    () => people.optIn(id),
    (real) => expect(real).toMatchObject({ id }),
  );
});

const listOptOuts = steps('list opt-outs', fc.option(emails), async (email, { people }, { client }) => {
  const real = await client.trackingOptOuts.list(email === null ? {} : { email }).toArray();
  const expected = [...people.optOuts].filter(([, address]) => email === null || address === email);
  expect(new Map(real.map((one) => [one.id, one.email]))).toEqual(new Map(expected));
  expect(real).toHaveLength(expected.length);
});

/** However statistics are grouped, they count the same emails. */
const readGroups = steps('read groups', fc.constant(''), async (_, __, { client }) => {
  const { stats } = client;
  const range = { start_date: '2026-01-01', end_date: '2027-12-31' };
  const { delivery_count } = await stats.get(range);
  for (const group of ['byDomain', 'byDate', 'byEmailServiceProvider'] as const) {
    const groups = await stats[group](range);
    expect(groups.reduce((sum, one) => sum + one.stats.delivery_count, 0)).toBe(delivery_count);
  }
  // No email of this test has a category.
  expect((await stats.byCategory(range)).filter(({ category }) => category !== '')).toEqual([]);
  return delivery_count > 0 ? 'some' : 'none';
});

/** The steps on the fields and events of contacts, on who is not tracked, and on grouped statistics. */
export const contactFieldSteps = [
  ...[readList, addField, readField, renameField, removeField, listFields],
  ...[addEvent, optOut, optIn, listOptOuts, readGroups],
];
