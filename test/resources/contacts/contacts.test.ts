import { EmailPlatform, InvalidRequestError, NotFoundError, ValidationError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { emulated } from '../../support/contacts-service.ts';
import { json, lost, scriptedFetch, type Turn } from '../../support/scripted-fetch.ts';

const contact = { id: 'x', email: 'ann@example.org', fields: {}, list_ids: [], status: 'subscribed' };

function scripted(...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  const client = new EmailPlatform({
    token: 't',
    hosts: { api: 'https://api.test' },
    fetch,
    throttle: false,
  });
  return { contacts: client.contacts, client, sent };
}

describe('A contact', () => {
  test('is created, read by id and by address, updated and deleted', async () => {
    const { contacts } = emulated().client;
    const { id } = await contacts.lists.create({ name: 'Readers' });
    const created = await contacts.create({
      email: 'Ann+1@example.org',
      fields: { city: 'Rome', age: 40, vip: true, note: null },
      list_ids: [id],
    });
    expect(created).toMatchObject({ status: 'subscribed', list_ids: [id], fields: { age: 40, note: null } });
    expect(await contacts.get(created.id)).toEqual(created);
    expect(await contacts.get('ann+1@EXAMPLE.org')).toEqual(created);

    const { data, action } = await contacts.update('Ann+1@example.org', {
      fields: { age: 41 },
      list_ids_excluded: [id],
      unsubscribed: true,
    });
    expect(action).toBe('updated');
    expect(data).toMatchObject({
      id: created.id,
      fields: { city: 'Rome', age: 41, vip: true, note: null },
      list_ids: [],
      status: 'unsubscribed',
    });
    await contacts.delete(created.id);
    await rejection(contacts.get(created.id), NotFoundError);
    const gone = await rejection(contacts.delete(created.id), NotFoundError);
    expect(gone.messages).toEqual(['Contact(s) not found']);
  });

  test('is created by an update if it does not exist, and by create only then', async () => {
    const { contacts } = emulated().client;
    const { data, action } = await contacts.update('new@example.org', { fields: { city: 'Oslo' } });
    expect([data.email, action]).toEqual(['new@example.org', 'created']);
    const { fieldErrors } = await rejection(contacts.create({ email: 'New@example.org' }), ValidationError);
    expect(fieldErrors).toEqual({ email: ['has already been taken'] });
  });

  test('has events', async () => {
    const { contacts } = emulated().client;
    const { id } = await contacts.create({ email: 'ann@example.org' });
    const event = { name: 'Bought', params: { amount: 12.5, gift: false } };
    expect(await contacts.createEvent(id, event)).toEqual({
      contact_id: id,
      contact_email: 'ann@example.org',
      ...event,
    });
    await rejection(contacts.createEvent('ben@example.org', event), NotFoundError);
  });

  test('is addressed by one segment of the path, whatever is in the address', async () => {
    const { contacts, client, sent } = scripted(json(200, { data: contact }));
    await contacts.get('a/../b?c#d@example.org');
    await client.contacts.get('a@b.c', { accountId: 7 });
    expect(sent.map(({ url }) => url)).toEqual([
      'https://api.test/api/contacts/a%2F..%2Fb%3Fc%23d%40example.org',
      'https://api.test/api/accounts/7/contacts/a%40b.c',
    ]);
  });

  test.each(['lists', 'imports', '', '..', '123', 'd9c5a6a2', undefined as unknown as string])(
    '%j is neither a UUID nor an address: nothing is sent',
    async (given) => {
      const { contacts, sent } = scripted(json(200, { data: contact }));
      const calls = [
        contacts.get(given),
        contacts.delete(given),
        contacts.update(given, { unsubscribed: true }),
        contacts.createEvent(given, { name: 'Bought' }),
      ];
      for (const call of calls) {
        const { issues } = await rejection(call, InvalidRequestError);
        expect(issues.map(({ path }) => path)).toEqual(['contact']);
      }
      expect(sent).toEqual([]);
    },
  );

  test.each<[string, object, string, boolean]>([
    ['of anything but the address', { unsubscribed: true }, 'ann@example.org', true],
    ['that names the same address', { email: 'ann@example.org', fields: {} }, 'ann@example.org', true],
    ['of the address', { email: 'new@example.org' }, 'ann@example.org', false],
  ])('an update %s is repeated after a lost response: %#', async (_, params, address, isRepeated) => {
    const { contacts, sent } = scripted(lost, json(200, { data: contact, action: 'updated' }));
    const outcome = await contacts
      .update(address, params, { retry: { maxRetries: 1 } })
      .catch(() => 'failed');
    expect([sent.length, outcome !== 'failed']).toEqual(isRepeated ? [2, true] : [1, false]);
  });
});

describe('A wrong argument is reported before a request is sent', () => {
  test.each<[string, (client: EmailPlatform) => PromiseLike<unknown>, string[]]>([
    ['create', ({ contacts }) => contacts.create({} as never), ['email']],
    [
      'create: values',
      ({ contacts }) => contacts.create({ email: 'a@b.c', fields: { a: new Date(), b: NaN } as never }),
      ['fields.a', 'fields.b'],
    ],
    ['create: lists', ({ contacts }) => contacts.create({ email: 'a@b.c', list_ids: [0] }), ['list_ids[0]']],
    ['update: nothing', ({ contacts }) => contacts.update('a@b.c', {}), ['params']],
    [
      'update: a field of create',
      ({ contacts }) => contacts.update('a@b.c', { list_ids: [1], fields: {} } as never),
      ['list_ids'],
    ],
    ['event', ({ contacts }) => contacts.createEvent('a@b.c', { name: 'x'.repeat(256) }), ['name']],
    ['list', ({ contacts }) => contacts.lists.create({} as never), ['name']],
    ['field', ({ contacts }) => contacts.fields.create({ name: 'x' } as never), ['merge_tag', 'data_type']],
    ['field: too long', ({ contacts }) => contacts.fields.update(1, { name: 'x'.repeat(81) }), ['name']],
    [
      'import',
      ({ contacts }) => contacts.imports.create({ contacts: [{ email: 'a@b.c' }, { mail: 'x' }] as never }),
      ['contacts[1].email', 'contacts[1].mail'],
    ],
    [
      'import: too many',
      ({ contacts }) => contacts.imports.create({ contacts: Array(50_001).fill({ email: 'a@b.c' }) }),
      ['contacts'],
    ],
    ['export', ({ contacts }) => contacts.exports.create({ filter: [] } as never), ['filter']],
    [
      'suppression',
      ({ suppressions }) => suppressions.create({ email: 'a@b.c', domain_id: 1, sending_stream: 1 as never }),
      ['sending_stream'],
    ],
    ['suppression: id', ({ suppressions }) => suppressions.delete('1'), ['id']],
    ['suppressions', ({ suppressions }) => suppressions.list({ last_id: '1' }), ['last_id']],
    ['opt-out', ({ trackingOptOuts }) => trackingOptOuts.create({ email: 'a@b.c' } as never), ['domain_id']],
    ['opt-outs', ({ trackingOptOuts }) => trackingOptOuts.list({ start_time: 'now' }), ['start_time']],
    ['stats: no dates', ({ stats }) => stats.get({} as never), ['start_date', 'end_date']],
    [
      'stats: order',
      ({ stats }) => stats.byDate({ start_date: '2026-03-02', end_date: '2026-03-01' }),
      ['end_date'],
    ],
    [
      'stats: an empty filter, which would be none',
      ({ stats }) =>
        stats.byDomain({ start_date: '2026-03-01', end_date: '2026-03-01', domain_ids: [], categories: [] }),
      ['domain_ids', 'categories'],
    ],
  ])('%s', async (_, call, paths) => {
    const { client, sent } = scripted(json(200, []));
    const { issues } = await rejection(call(client), InvalidRequestError);
    expect(issues.map(({ path }) => path)).toEqual(paths);
    expect(sent).toEqual([]);
  });
});

describe('Groups', () => {
  test('are made once, when they are first read', () => {
    const { contacts } = scripted(json(200, []));
    expect(contacts.lists).toBe(contacts.lists);
    expect(contacts.exports).toBe(contacts.exports);
  });

  test('lists and fields: made, searched, renamed, removed', async () => {
    const { contacts } = emulated().client;
    const { lists, fields } = contacts;
    for (const name of ['News', 'Offers']) await lists.create({ name });
    expect(await lists.list({ search: 'OFF' }).toArray()).toEqual([{ id: 2, name: 'Offers' }]);
    expect(await lists.update(2, { name: 'Deals' })).toEqual({ id: 2, name: 'Deals' });
    await lists.delete(2);
    await rejection(lists.get(2), NotFoundError);

    const field = await fields.create({ name: 'City', data_type: 'text', merge_tag: 'city' });
    await contacts.create({ email: 'ann@example.org', fields: { city: 'Rome' } });
    await fields.update(field.id, { merge_tag: 'town' });
    expect((await contacts.get('ann@example.org')).fields).toEqual({ town: 'Rome' });
    expect(await fields.list()).toMatchObject({
      items: [{ ...field, merge_tag: 'town' }],
      hasNextPage: false,
    });
    await fields.delete(field.id);
    expect((await contacts.get('ann@example.org')).fields).toEqual({});
  });
});
