import { describe, expect, test } from 'vitest';
import { campaigns, still, wire } from '../../../tools/wire.ts';

describe('Campaigns: GET /api/email_campaigns', () => {
  function listed(count: number, name = (index: number) => `Campaign ${index}`) {
    const emulator = still();
    const ids = Array.from({ length: count }, (_, index) => emulator.campaigns.add({ name: name(index) }));
    return { emulator, call: wire(emulator), newestFirst: ids.reverse() };
  }
  const idsOf = (list: { id: number }[]) => list.map(({ id }) => id);

  test('newest first, 50 to a page, with the seven pagination fields', async () => {
    const { emulator, call, newestFirst } = listed(51);
    const { status, json, list } = await call('GET', campaigns);
    const url = emulator.clientOptions().hosts.api + campaigns;
    expect(status).toBe(200);
    expect(idsOf(list)).toEqual(newestFirst.slice(0, 50));
    expect(json.pagination).toEqual({
      token: 1,
      prev_token: null,
      next_token: 2,
      first_url: `${url}?token=1`,
      prev_url: null,
      current_url: `${url}?token=1`,
      next_url: `${url}?token=2`,
    });
    const second = await call('GET', `${campaigns}?token=2`);
    expect(idsOf(second.list)).toEqual(newestFirst.slice(50));
    expect(second.json.pagination).toMatchObject({
      token: 2,
      prev_token: 1,
      next_token: null,
      next_url: null,
    });
  });

  test('items have no bodies in their template', async () => {
    const { call } = listed(1);
    const { list } = await call('GET', campaigns);
    expect(Object.keys(list[0]?.template ?? {})).toEqual(['id', 'subject', 'merge_tags']);
  });

  test('search is a case-insensitive partial match on the name, and stays in the links with + for spaces', async () => {
    const { call } = listed(6, (index) => (index % 2 === 0 ? `The SPRING sale ${index}` : `Winter ${index}`));
    const { json, list } = await call('GET', `${campaigns}?search=spring%20s&per_page=2`);
    expect(list.map(({ name }) => name)).toEqual(['The SPRING sale 4', 'The SPRING sale 2']);
    expect(json.pagination.next_url).toMatch(/\?search=spring\+s&per_page=2&token=2$/);
  });

  test('an exact last page has no next one; a page beyond it is empty', async () => {
    const { call } = listed(4);
    expect((await call('GET', `${campaigns}?per_page=2&token=2`)).json.pagination.next_token).toBeNull();
    const beyond = await call('GET', `${campaigns}?per_page=2&token=9`);
    expect(beyond.list).toEqual([]);
    expect(beyond.json.pagination).toMatchObject({ token: 9, prev_token: 2, next_token: null });
  });

  test.each([
    ['per_page=0', 1, 1],
    ['per_page=101', 100, 1],
    ['per_page=many', 50, 1],
    ['token=0', 50, 1],
    ['token=-3', 50, 1],
    ['token=last', 50, 1],
    [`token=${'9'.repeat(30)}`, 0, Number.MAX_SAFE_INTEGER],
    [`token=${'9'.repeat(400)}`, 0, Number.MAX_SAFE_INTEGER],
  ])('out of range (%s) is brought into range', async (query, length, token) => {
    const { call } = listed(120);
    const { status, json, list } = await call('GET', `${campaigns}?${query}`);
    expect([status, list.length, json.pagination.token]).toEqual([200, length, token]);
  });
});

describe('Campaigns: GET /api/email_campaigns/{id} and /stats', () => {
  test.each(['GET', 'PATCH', 'DELETE'])(
    '%s of an unknown, removed or non-numeric id → 404',
    async (method) => {
      const emulator = still();
      const call = wire(emulator);
      const removed = emulator.campaigns.add();
      await call('DELETE', `${campaigns}/${removed}`);
      for (const id of ['999999', '0', '-1', '1.5', 'abc', '%00', String(removed)]) {
        const { status, text } = await call(method, `${campaigns}/${id}`);
        expect([id, status, text]).toEqual([id, 404, '{"error":"Not Found"}']);
      }
    },
  );

  test.each(['start', 'schedule', 'cancel', 'reset', 'terminate'])(
    '%s of an unknown id → 404',
    async (action) => {
      expect((await wire(still())('POST', `${campaigns}/7/${action}`)).status).toBe(404);
    },
  );

  test('stats of a campaign never started are all present and all zero', async () => {
    const emulator = still();
    const { status, json } = await wire(emulator)('GET', `${campaigns}/${emulator.campaigns.add()}/stats`);
    expect(status).toBe(200);
    expect(Object.keys(json.data).sort()).toEqual(
      ['bounce', 'click', 'delivery', 'open', 'spam', 'unsubscription']
        .flatMap((name) => [`${name}_count`, `${name}_rate`])
        .concat('sent_count')
        .sort(),
    );
    expect(new Set(Object.values(json.data))).toEqual(new Set([0]));
  });

  test('stats grow while sending; rates are shares of sent or of delivered', async () => {
    const emulator = still();
    const call = wire(emulator);
    const id = emulator.campaigns.add({ contact_list_ids: [1, 2, 3, 4, 5] });
    const all = (await call('POST', `${campaigns}/${id}/start`)).json.data.recipient_total_count;
    emulator.clock.advance(30_000);
    const half = (await call('GET', `${campaigns}/${id}/stats`)).json.data;
    emulator.clock.advance(30_000);
    const whole = (await call('GET', `${campaigns}/${id}/stats`)).json.data;
    expect([half.sent_count, whole.sent_count]).toEqual([Math.floor(all / 2), all]);
    expect(whole.delivery_rate).toBe(whole.delivery_count / whole.sent_count);
    expect(whole.open_rate).toBe(whole.open_count / whole.delivery_count);
    expect(whole.delivery_count + whole.bounce_count).toBe(all);
    expect(whole.open_count).toBeGreaterThan(0);
  });

  test('stats of a range without the start are zero; an invalid date is ignored', async () => {
    const emulator = still();
    const call = wire(emulator);
    const id = emulator.campaigns.add();
    await call('POST', `${campaigns}/${id}/start`);
    emulator.clock.advance(60_000);
    const sent = async (query: string) =>
      (await call('GET', `${campaigns}/${id}/stats?${query}`)).json.data.sent_count > 0;
    expect(await sent('start_date=2026-01-31&end_date=2026-01-31')).toBe(true);
    expect(await sent('start_date=2026-02-01')).toBe(false);
    expect(await sent('end_date=2026-01-30')).toBe(false);
    expect(await sent('start_date=soon')).toBe(true);
  });
});
