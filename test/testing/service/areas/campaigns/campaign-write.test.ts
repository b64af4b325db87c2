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
} from '../../../tools/wire.ts';

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

  test('an empty body → 422 with a map from each required field to its messages', async () => {
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

  test('limits count characters, not UTF-16 units', async () => {
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

  test.each(['{"name":', '[]', '"text"', 'null'])(
    'a body that is not a JSON object (%s) → 400',
    async (raw) => {
      const { status, json } = await wire(still())('POST', campaigns, { raw });
      expect([status, typeof json.error]).toEqual([400, 'string']);
    },
  );

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

  test('arrays are replaced as a whole', async () => {
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

  test('an empty body changes nothing', async () => {
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
