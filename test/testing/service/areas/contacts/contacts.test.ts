import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { gzip } from '../../../../../src/testing/encoding/gzip.ts';
import { emulated } from '../../../../support/contacts-service.ts';
import { start, still, wire } from '../../../tools/wire.ts';

describe('Contact fields', () => {
  const path = '/api/contacts/fields';
  const body = { name: 'City', data_type: 'text', merge_tag: 'city' };

  test('flat and bare; created 201, listed, changed 200, removed 204', async () => {
    const call = wire(still());
    const created = await call('POST', path, { body });
    expect([created.status, created.value]).toEqual([201, { id: 1, ...body }]);
    expect((await call('GET', path)).value).toEqual([created.value]);
    const change = { name: 'Town', data_type: 'date' };
    expect((await call('PATCH', `${path}/1`, { body: change })).value).toEqual({
      ...body,
      id: 1,
      name: 'Town',
    });
    expect((await call('DELETE', `${path}/1`)).status).toBe(204);
    expect((await call('GET', `${path}/1`)).text).toBe('{"error":"Not Found"}');
  });

  test('errors in a map; at most 40', async () => {
    const call = wire(still());
    await call('POST', path, { body });
    const wrong = { name: 'x'.repeat(81), data_type: 'json', merge_tag: 'city' };
    expect((await call('POST', path, { body: wrong })).value).toEqual({
      errors: {
        name: ['is too long (maximum is 80 characters)'],
        merge_tag: ['has already been taken'],
        data_type: ['is not included in the list'],
      },
    });
    for (let index = 2; index <= 40; index += 1) {
      await call('POST', path, { body: { ...body, merge_tag: `tag${index}` } });
    }
    const { status, value } = await call('POST', path, { body: { ...body, merge_tag: 'more' } });
    expect([status, Object.keys((value as { errors: object }).errors)]).toEqual([422, ['base']]);
  });

  test('a field that a draft refers to is not removed: usage', async () => {
    const emulator = still();
    const call = wire(emulator);
    await call('POST', path, { body });
    const id = emulator.campaigns.add({ name: 'Spring', template_attributes: { merge_tags: ['city'] } });
    const refused = await call('DELETE', `${path}/1`);
    expect([refused.status, refused.value]).toEqual([
      422,
      { errors: { usage: ['This field is used in campaign(s): Spring.'] } },
    ]);
    emulator.campaigns.setState(id, 'finished');
    expect((await call('DELETE', `${path}/1`)).status).toBe(204);
  });
});

describe('Imports and exports', () => {
  test('an import goes from created over started to finished, and changes the contacts then', async () => {
    const emulator = still();
    const call = wire(emulator);
    await call('POST', '/api/contacts', { body: { contact: { email: 'ann@example.org' } } });
    const contacts = [
      { email: 'ANN@example.org', fields: { city: 'Rome' } },
      { email: 'ben@example.org' },
      { email: 'ben@example.org', fields: { city: 'Oslo' } },
    ];
    const created = await call('POST', '/api/accounts/1001/contacts/imports', { body: { contacts } });
    expect([created.status, created.value]).toEqual([201, { id: 7001, status: 'created' }]);
    emulator.clock.advance(1000);
    expect((await call('GET', '/api/contacts/imports/7001')).value).toEqual({ id: 7001, status: 'started' });
    expect((await call('GET', '/api/contacts/ben@example.org')).status).toBe(404);
    emulator.clock.advance(1000);
    expect((await call('GET', '/api/contacts/imports/7001')).value).toEqual({
      id: 7001,
      status: 'finished',
      created_contacts_count: 1,
      updated_contacts_count: 2,
      contacts_over_limit_count: 0,
    });
    expect((await call('GET', '/api/contacts/ben@example.org')).value).toMatchObject({
      data: { fields: { city: 'Oslo' }, created_at: start + 2000 },
    });
  });

  test('one invalid contact refuses all of them: a list of objects; contacts beyond the plan are counted', async () => {
    const emulator = still({ contacts: { max: 2 } });
    const call = wire(emulator);
    const all = ['a@b.c', 'd@e.f', 'g@h.i'].map((email) => ({ email }));
    const refused = await call('POST', '/api/contacts/imports', {
      body: { contacts: [...all, { email: 'x', list_ids_included: [5] }] },
    });
    expect([refused.status, refused.value]).toEqual([
      422,
      { errors: [{ email: 'x', errors: { email: ['is invalid'], list_ids_included: ['must exist'] } }] },
    ]);
    await call('POST', '/api/contacts/imports', { body: { contacts: all } });
    emulator.clock.advance(2000);
    expect((await call('GET', '/api/contacts/imports/7001')).value).toMatchObject({
      created_contacts_count: 2,
      contacts_over_limit_count: 1,
    });
    const full = await call('POST', '/api/contacts', { body: { contact: { email: 'j@k.l' } } });
    expect([full.status, Object.keys((full.value as { errors: object }).errors)]).toEqual([422, ['base']]);
  });

  test.each([[{}], [{ contacts: [] }], [{ contacts: ['a@b.c'] }], [{ contacts: Array(50_001).fill({}) }]])(
    'imports that hold no contacts, or too many → 422 (%#)',
    async (body) => {
      const { status, value } = await wire(still())('POST', '/api/contacts/imports', { body });
      expect([status, Object.keys((value as { errors: object }).errors)]).toEqual([422, ['contacts']]);
    },
  );

  test('an export of another account, and a link that was changed, are not there', async () => {
    const emulator = still();
    const call = wire(emulator);
    await call('POST', '/api/contacts/exports', { body: {} });
    emulator.clock.advance(2000);
    const token = emulator.createToken({ accountId: 77 });
    expect((await call('GET', '/api/contacts/exports/7001', { token })).status).toBe(404);
    const { url } = (await call('GET', '/api/contacts/exports/7001')).value as { url: string };
    expect((await emulator.fetch(url)).status).toBe(200);
    expect((await emulator.fetch(url.replace('7001', '7002'))).status).toBe(403);
    emulator.clock.advance(3_600_000);
    expect((await emulator.fetch(url)).status).toBe(403);
  });

  test.each([0, 1, 65_535, 65_536, 200_000])('a file of %i bytes is gzip that others can read', (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) % 251);
    expect(gunzipSync(gzip(bytes)).equals(bytes)).toBe(true);
  });
});

describe('The audience of a campaign', () => {
  test('is the subscribed contacts on its lists, each once; a list that was never made stands for some', async () => {
    const { client, emulator } = emulated();
    const { lists } = client.contacts;
    const [one, two] = [await lists.create({ name: 'One' }), await lists.create({ name: 'Two' })];
    const add = (email: string, list_ids: number[]) => client.contacts.create({ email, list_ids });
    await add('a@b.c', [one.id]);
    await add('d@e.f', [one.id, two.id]);
    await add('g@h.i', [two.id]);
    await client.contacts.update('g@h.i', { unsubscribed: true });
    const started = async (contact_list_ids: number[]) => {
      const { recipient_total_count } = await client.campaigns.start(
        emulator.campaigns.add({ contact_list_ids }),
      );
      return recipient_total_count ?? NaN;
    };
    expect(await started([one.id])).toBe(2);
    expect(await started([one.id, two.id])).toBe(2);
    expect(await started([two.id])).toBe(1);
    await lists.delete(one.id);
    expect(await started([one.id, two.id])).toBe(1);
    expect((await client.contacts.get('a@b.c')).list_ids).toEqual([]);
    const many = await started([99]);
    expect(many).toBeGreaterThan(99);
    expect(await started([two.id, 99])).toBe(many + 1);
  });
});
