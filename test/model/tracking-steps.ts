import fc from 'fast-check';
import { expect } from 'vitest';
import { pick, position, steps } from './model.ts';
import { agree } from './verdict.ts';

const NO_ID = 99_999;
const NO_UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';
const emails = fc.constantFrom('ann@example.org', 'ben@example.org', 'cy@example.org', 'dee@example.org');

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

/** Who is not tracked, and what grouped statistics count. */
export const trackingSteps = [optOut, optIn, listOptOuts, readGroups];
