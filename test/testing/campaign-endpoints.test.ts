import { describe, expect, test } from 'vitest';
import {
  campaigns,
  minimal,
  sendable,
  start,
  still,
  unverifiedDomain,
  verifiedDomain,
  wire,
} from './wire.ts';

describe('Campaigns: POST /api/email_campaigns', () => {
  test('the required fields alone → 201, with nulls and empty objects for the rest', async () => {
    const emulator = still();
    const { status, json } = await wire(emulator)('POST', campaigns, { body: minimal(emulator) });
    const now = new Date(start).toISOString();
    expect(status).toBe(201);
    expect(json).toEqual({
      data: {
        id: expect.any(Number) as unknown,
        domain_id: verifiedDomain(emulator),
        domain_name: 'mail.example.com',
        name: 'Spring',
        from_local_part: 'news',
        from_display_name: null,
        reply_to: {},
        current_state: 'draft',
        current_state_metadata: {},
        created_at: now,
        updated_at: now,
        last_started_at: null,
        recipient_total_count: null,
        contact_list_ids: [],
        contact_segment_ids: [],
        delivery_mode: 'rapid',
        delivery_options: {},
        template: {
          id: expect.any(Number) as unknown,
          subject: 'Hello',
          merge_tags: [],
          body_html: null,
          body_text: null,
        },
      },
    });
  });

  test('every writable field is stored', async () => {
    const emulator = still();
    const call = wire(emulator);
    const fields = {
      name: 'Spring',
      domain_id: verifiedDomain(emulator),
      from_local_part: 'news',
      from_display_name: 'News',
      reply_to: { display_name: 'Help', local_part: 'help', domain: 'example.com' },
      delivery_mode: 'gradual',
      delivery_options: { emails_per_hour: 500 },
      contact_list_ids: [5, 6],
      contact_segment_ids: [9],
    };
    const template = { subject: 'Hi {{name}}', body_html: '<p/>', body_text: 'Hi', merge_tags: ['name'] };
    const { json } = await call('POST', campaigns, { body: { ...fields, template_attributes: template } });
    expect(json.data).toMatchObject({ ...fields, template });
    expect((await call('GET', `${campaigns}/${json.data.id}`)).json).toEqual(json);
  });

  test('nothing → 422 with a map from each required field to its messages', async () => {
    const { status, json } = await wire(still())('POST', campaigns, { body: {} });
    const blank = ["can't be blank"];
    expect(status).toBe(422);
    expect(json).toEqual({
      errors: { name: blank, domain_id: blank, from_local_part: blank, 'template.subject': blank },
    });
  });

  const long = (length: number) => 'é'.repeat(length);
  test.each([
    ['name', { name: ' ' }, "can't be blank"],
    ['name', { name: 5 }, 'is invalid'],
    ['from_local_part', { from_local_part: null }, "can't be blank"],
    ['template.subject', { template_attributes: { subject: '' } }, "can't be blank"],
    [
      'template.subject',
      { template_attributes: { subject: long(256) } },
      'is too long (maximum is 255 characters)',
    ],
    [
      'template.body_html',
      { template_attributes: { subject: 'x', body_html: long(10_000_001) } },
      'is too long (maximum is 10000000 characters)',
    ],
    [
      'template.body_text',
      { template_attributes: { subject: 'x', body_text: long(10_000_001) } },
      'is too long (maximum is 10000000 characters)',
    ],
    ['template.merge_tags', { template_attributes: { subject: 'x', merge_tags: 'name' } }, 'is invalid'],
    ['template_attributes', { template_attributes: ['x'] }, 'is invalid'],
    ['domain_id', { domain_id: 999_999 }, 'must exist'],
    ['domain_id', { domain_id: null }, "can't be blank"],
    ['delivery_mode', { delivery_mode: 'warp' }, 'is not included in the list'],
    [
      'delivery_options.emails_per_hour',
      { delivery_options: { emails_per_hour: 0 } },
      'must be greater than 0',
    ],
    [
      'delivery_options.emails_per_hour',
      { delivery_options: { emails_per_hour: '9' } },
      'must be an integer',
    ],
    ['contact_list_ids', { contact_list_ids: 7 }, 'is invalid'],
    ['contact_segment_ids', { contact_segment_ids: ['7'] }, 'is invalid'],
    ['reply_to.domain', { reply_to: { domain: 1 } }, 'is invalid'],
    ['reply_to', { reply_to: 'me@example.com' }, 'is invalid'],
  ])('a wrong %s → 422 under that field', async (field, fields, message) => {
    const emulator = still();
    const { status, json } = await wire(emulator)('POST', campaigns, {
      body: { ...minimal(emulator), ...fields },
    });
    expect(status).toBe(422);
    expect(json.errors).toHaveProperty([field], [message]);
  });

  test('an existing but unverified domain → 422', async () => {
    const emulator = still();
    const body = { ...minimal(emulator), domain_id: unverifiedDomain(emulator) };
    const { status, json } = await wire(emulator)('POST', campaigns, { body });
    expect([status, json]).toEqual([422, { errors: { domain_id: ['must be a verified sending domain'] } }]);
  });

  test('limits count characters: 255 of those that need two units fit', async () => {
    const emulator = still();
    const body = { ...minimal(emulator), template_attributes: { subject: '🌱'.repeat(255) } };
    expect((await wire(emulator)('POST', campaigns, { body })).status).toBe(201);
  });

  test('emails_per_hour may be null; unknown fields are ignored', async () => {
    const emulator = still();
    const body = { ...minimal(emulator), delivery_options: { emails_per_hour: null }, colour: 'red' };
    const { json } = await wire(emulator)('POST', campaigns, { body });
    expect(json.data.delivery_options).toEqual({ emails_per_hour: null });
    expect(json.data).not.toHaveProperty('colour');
  });

  test.each(['{"name":', '[]', '"text"', 'null'])('a body that is no JSON object (%s) → 400', async (raw) => {
    const { status, json } = await wire(still())('POST', campaigns, { raw });
    expect([status, typeof json.error]).toEqual([400, 'string']);
  });

  test('a body that is not declared as JSON is not read', async () => {
    const emulator = still();
    const answer = await wire(emulator)('POST', campaigns, {
      raw: JSON.stringify(minimal(emulator)),
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(422);
  });
});

describe('Campaigns: PATCH /api/email_campaigns/{id}', () => {
  async function draft() {
    const emulator = still();
    const call = wire(emulator);
    const body = {
      ...sendable(emulator),
      template_attributes: { subject: 'S', body_html: '<p/>', body_text: 'T', merge_tags: ['a', 'b'] },
      contact_list_ids: [1, 2],
      contact_segment_ids: [3],
      reply_to: { local_part: 'help', domain: 'example.com' },
    };
    const { data } = (await call('POST', campaigns, { body })).json;
    const update = (fields: unknown) => call('PATCH', `${campaigns}/${data.id}`, { body: fields });
    return { emulator, data, update };
  }

  test('a template value omitted or null keeps the current one; the template keeps its id', async () => {
    const { data, update } = await draft();
    const { json } = await update({
      template_attributes: { subject: null, body_html: null, body_text: null, merge_tags: null },
    });
    expect(json.data.template).toEqual(data.template);
    expect((await update({ template_attributes: { subject: 'New' } })).json.data.template).toEqual({
      ...data.template,
      subject: 'New',
    });
    expect((await update({ template_attributes: null })).status).toBe(200);
  });

  test('arrays replace as a whole', async () => {
    const { update } = await draft();
    const { json } = await update({
      contact_list_ids: [2],
      contact_segment_ids: [],
      template_attributes: { merge_tags: ['c'] },
    });
    expect(json.data).toMatchObject({
      contact_list_ids: [2],
      contact_segment_ids: [],
      template: { merge_tags: ['c'] },
    });
  });

  test('nothing at all changes nothing', async () => {
    const { data, update } = await draft();
    expect((await update({})).json.data).toEqual(data);
  });

  test('a wrong field → 422 with a map, and nothing of the request is kept', async () => {
    const { emulator, data, update } = await draft();
    const { status, json } = await update({ name: 'New', template_attributes: { subject: '' } });
    expect([status, json]).toEqual([422, { errors: { 'template.subject': ["can't be blank"] } }]);
    const after = await wire(emulator)('GET', `${campaigns}/${data.id}`);
    expect(after.json.data).toEqual(data);
  });
});

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
    expect(beyond.json.pagination).toMatchObject({ token: 9, prev_token: 8, next_token: null });
  });

  test.each([
    ['per_page=0', 1, 1],
    ['per_page=101', 100, 1],
    ['per_page=many', 50, 1],
    ['token=0', 50, 1],
    ['token=-3', 50, 1],
    ['token=last', 50, 1],
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

  test('stats of a campaign never started are all there and all zero', async () => {
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

  test('stats of days that leave the start out are zero; a date that is none is ignored', async () => {
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
