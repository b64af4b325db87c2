import type { EmailPlatform } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import type { Emulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { inMemoryAndOnAPort } from '../../support/in-memory-and-on-a-port.ts';

const path = '/api/email_campaigns';

const domainOf = (emulator: Emulator, verified = true) =>
  emulator.domains.list().find((domain) => domain.verified === verified)?.id ?? 0;
const minimal = (emulator: Emulator): EmailPlatform.CampaignCreateParams => ({
  name: 'Spring',
  domain_id: domainOf(emulator),
  from_local_part: 'news',
  template_attributes: { subject: 'Hello {{name}}' },
});
/** The requests received, as `METHOD path?query status`. */
const log = (emulator: Emulator) =>
  emulator.requests.map((r) => `${r.method} ${r.path}${r.query} ${String(r.status)}`);

describe.each(inMemoryAndOnAPort)('Campaigns: endpoints, %s', (_, connect) => {
  test('GET /api/email_campaigns: 200, newest first, without bodies, with pagination', async () => {
    const { emulator, client } = await connect();
    const ids = [1, 2, 3].map((n) => emulator.campaigns.add({ name: `Campaign ${n}` }));
    const page = await client.campaigns.list({ per_page: 2 });
    expect(page.items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(page.data).toBe(page.items);
    expect(Object.keys(page.items[0]?.template ?? {}).sort()).toEqual(['id', 'merge_tags', 'subject']);
    expect(page.pagination).toEqual({
      token: 1,
      prev_token: null,
      next_token: 2,
      first_url: expect.stringContaining('token=1') as unknown,
      prev_url: null,
      current_url: expect.stringContaining('token=1') as unknown,
      next_url: expect.stringContaining('token=2') as unknown,
    });
    expect(log(emulator)).toEqual([`GET ${path}?per_page=2 200`]);
  });

  test('GET /api/email_campaigns: token, per_page 1 to 100 with 50 as default, search', async () => {
    const { emulator, client } = await connect();
    for (let n = 1; n <= 120; n += 1)
      emulator.campaigns.add({ name: n % 3 === 0 ? `Spring sale & ${n}` : `${n}` });
    expect((await client.campaigns.list()).items).toHaveLength(50);
    expect((await client.campaigns.list({ per_page: 100, token: 2 })).items).toHaveLength(20);
    const found = await client.campaigns.list({ search: 'SPRING sale &', per_page: 1 }).toArray({ limit: 3 });
    expect(found.map(({ name }) => name)).toEqual([
      'Spring sale & 120',
      'Spring sale & 117',
      'Spring sale & 114',
    ]);
    expect(log(emulator)[2]).toBe(`GET ${path}?search=SPRING%20sale%20%26&per_page=1 200`);
    expect(log(emulator)[3]).toContain('&token=2 200');
  });

  test('GET /api/email_campaigns: every page, from the requested one', async () => {
    const { emulator, client } = await connect();
    const ids = Array.from({ length: 7 }, () => emulator.campaigns.add()).reverse();
    const from = async (token?: number) =>
      (await client.campaigns.list({ per_page: 2, token }).toArray()).map(({ id }) => id);
    expect(await from()).toEqual(ids);
    expect(await from(3)).toEqual(ids.slice(4));
    expect(await from(9)).toEqual([]);
  });

  test('GET /api/email_campaigns: changing the parameters afterwards has no effect', async () => {
    const { emulator, client } = await connect();
    for (let n = 0; n < 4; n += 1) emulator.campaigns.add();
    const params = { per_page: 2 };
    const pager = client.campaigns.list(params);
    params.per_page = 1000;
    expect(await pager.toArray()).toHaveLength(4);
    expect(log(emulator)).toHaveLength(2);
    expect(params).toEqual({ per_page: 1000 });
  });

  test('GET /api/email_campaigns: while campaigns are created, none is missed and none is yielded twice', async () => {
    const { emulator, client } = await connect();
    const ids = Array.from({ length: 6 }, () => emulator.campaigns.add()).reverse();
    const seen: number[] = [];
    for await (const { id } of client.campaigns.list({ per_page: 2 })) {
      seen.push(id);
      if (seen.length === 2 || seen.length === 4) emulator.campaigns.add();
    }
    expect(seen).toEqual(ids);
  });

  test('POST /api/email_campaigns: 201 with every field, the unset ones null or empty', async () => {
    const { emulator, client } = await connect();
    const { data, response } = await client.campaigns.create(minimal(emulator)).withResponse();
    expect(response.status).toBe(201);
    expect(data).toEqual({
      id: expect.any(Number) as unknown,
      domain_id: domainOf(emulator),
      domain_name: 'mail.example.com',
      name: 'Spring',
      from_local_part: 'news',
      from_display_name: null,
      reply_to: {},
      current_state: 'draft',
      current_state_metadata: {},
      created_at: expect.any(String) as unknown,
      updated_at: expect.any(String) as unknown,
      last_started_at: null,
      recipient_total_count: null,
      contact_list_ids: [],
      contact_segment_ids: [],
      delivery_mode: 'rapid',
      delivery_options: {},
      template: {
        id: expect.any(Number) as unknown,
        subject: 'Hello {{name}}',
        merge_tags: [],
        body_html: null,
        body_text: null,
      },
    });
    expect(log(emulator)).toEqual([`POST ${path} 201`]);
  });

  test('POST /api/email_campaigns: every writable attribute arrives, flat', async () => {
    const { emulator, client } = await connect();
    const params: EmailPlatform.CampaignCreateParams = {
      ...minimal(emulator),
      from_display_name: 'Grüße 🎉',
      reply_to: { display_name: 'Help', local_part: 'help', domain: 'example.com' },
      delivery_mode: 'gradual',
      delivery_options: { emails_per_hour: 100 },
      contact_list_ids: [1, 2],
      contact_segment_ids: [3],
      template_attributes: { subject: 'Hi', body_html: '<p/>', body_text: 'Hi', merge_tags: ['name'] },
    };
    const campaign = await client.campaigns.create(params);
    const { template_attributes, ...attributes } = params;
    expect(campaign).toMatchObject({ ...attributes, template: template_attributes });
    expect(await client.campaigns.get(campaign.id)).toEqual(campaign);
  });

  test('GET /api/email_campaigns/{id}: 200, including the bodies', async () => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add({ template_attributes: { body_html: '<p>x</p>', body_text: 'x' } });
    expect((await client.campaigns.get(id)).template).toMatchObject({
      body_html: '<p>x</p>',
      body_text: 'x',
    });
    expect(log(emulator)).toEqual([`GET ${path}/${id} 200`]);
  });

  test('PATCH /api/email_campaigns/{id}: 200, only what is given changes', async () => {
    const { emulator, client } = await connect();
    const before = await client.campaigns.create({ ...minimal(emulator), contact_list_ids: [1, 2] });
    const after = await client.campaigns.update(before.id, {
      contact_list_ids: [2, 3],
      template_attributes: { body_html: '<p/>', subject: null },
    });
    expect(after).toEqual({
      ...before,
      updated_at: after.updated_at,
      contact_list_ids: [2, 3],
      template: { ...before.template, body_html: '<p/>' },
    });
    expect(log(emulator)[1]).toBe(`PATCH ${path}/${before.id} 200`);
  });

  test('DELETE /api/email_campaigns/{id}: 204, no body', async () => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add();
    const { data, response } = await client.campaigns.delete(id).withResponse();
    expect([data, response.status, response.headers.get('content-type')]).toEqual([undefined, 204, null]);
    expect(log(emulator)).toEqual([`DELETE ${path}/${id} 204`]);
  });

  test.each(['start', 'cancel', 'reset', 'terminate'] as const)(
    'POST /api/email_campaigns/{id}/%s: 200 with the campaign, its bodies included',
    async (action) => {
      const { emulator, client } = await connect();
      const id = emulator.campaigns.add();
      if (action === 'terminate') emulator.campaigns.setState(id, 'started');
      else if (action !== 'start') emulator.campaigns.setState(id, 'scheduled');
      const campaign = await client.campaigns[action](id);
      expect(campaign).toMatchObject({ id, template: { body_html: expect.any(String) as unknown } });
      expect(campaign.current_state).toBe(emulator.campaigns.stateOf(id));
      expect(log(emulator)).toEqual([`POST ${path}/${id}/${action} 200`]);
    },
  );

  test('POST /api/email_campaigns/{id}/schedule: a Date or ISO 8601, and the campaign is scheduled', async () => {
    const { emulator, client } = await connect();
    const datetime = new Date(Date.now() + 3_600_000);
    for (const given of [datetime, datetime.toISOString(), datetime.toISOString().replace('Z', '+00:00')]) {
      const id = emulator.campaigns.add();
      const campaign = await client.campaigns.schedule(id, { datetime: given });
      expect(campaign.current_state).toBe('scheduled');
      expect(campaign.current_state_metadata.scheduled_at).toBe(datetime.toISOString());
    }
    expect(log(emulator)[0]).toMatch(/^POST \/api\/email_campaigns\/\d+\/schedule 200$/);
  });

  test('GET /api/email_campaigns/{id}/stats: all 0 when never started, then counted', async () => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add();
    const names = ['delivery', 'bounce', 'open', 'click', 'spam', 'unsubscription'];
    const zero = Object.fromEntries(
      names.flatMap((name) => [
        [`${name}_count`, 0],
        [`${name}_rate`, 0],
      ]),
    );
    expect(await client.campaigns.stats(id)).toEqual({ ...zero, sent_count: 0 });
    const { recipient_total_count } = await client.campaigns.start(id);
    emulator.clock.advance(120_000);
    const stats = await client.campaigns.stats(id, { start_date: '2020-01-01', end_date: '2100-01-01' });
    expect(stats.sent_count).toBe(recipient_total_count);
    expect(stats.delivery_rate).toBeGreaterThan(0);
    expect(stats.delivery_rate).toBeLessThanOrEqual(1);
    expect(log(emulator).at(-1)).toBe(
      `GET ${path}/${id}/stats?start_date=2020-01-01&end_date=2100-01-01 200`,
    );
  });

  test('none of these responses differs from the documentation', async () => {
    const { emulator, connect: clientWith } = await connect({ seed: 'demo' });
    const mismatches: object[] = [];
    const client = clientWith({ schemas, hooks: { onMismatch: (event) => void mismatches.push(event) } });
    const campaigns = await client.campaigns.list().toArray();
    expect(new Set(campaigns.map(({ current_state }) => current_state)).size).toBe(10);
    for (const { id } of campaigns.slice(0, 20)) {
      await client.campaigns.get(id);
      await client.campaigns.stats(id);
    }
    const { id } = await client.campaigns.create({ ...minimal(emulator), contact_list_ids: [1] });
    await client.campaigns.update(id, { template_attributes: { body_html: '<p/>' } });
    await client.campaigns.schedule(id, { datetime: new Date(Date.now() + 3_600_000) });
    await client.campaigns.cancel(id);
    await client.campaigns.start(id);
    await client.campaigns.terminate(id);
    await new Promise((resolve) => setImmediate(resolve));
    expect(mismatches).toEqual([]);
  });
});
