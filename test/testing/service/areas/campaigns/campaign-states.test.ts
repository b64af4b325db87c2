import { describe, expect, test } from 'vitest';
import type { Emulator } from 'email-platform/testing';
import { campaigns, sendable, start, still, wire } from '../../../tools/wire.ts';

const day = 86_400_000;
const inAnHour = new Date(start + 3_600_000).toISOString();

const others: Emulator.CampaignState[] = [
  'scheduled',
  'started',
  'queued',
  'paused',
  'terminating',
  'under_review',
  'finished',
  'failed',
  'failed_immediately',
];

function setUp() {
  const emulator = still();
  const call = wire(emulator);
  const at = (id: number, action = '') => `${campaigns}/${id}${action === '' ? '' : `/${action}`}`;
  return { emulator, call, at };
}

describe('States and transitions', () => {
  test('(none) + POST create, valid request → draft', async () => {
    const { emulator, call } = setUp();
    const { status, json } = await call('POST', campaigns, { body: sendable(emulator) });
    expect(status).toBe(201);
    expect(json.data).toMatchObject({
      current_state: 'draft',
      current_state_metadata: {},
      last_started_at: null,
    });
  });

  test('draft + PATCH update → draft, only provided attributes change', async () => {
    const { emulator, call, at } = setUp();
    const before = (await call('POST', campaigns, { body: sendable(emulator) })).json.data;
    emulator.clock.advance(1000);
    const { status, json } = await call('PATCH', at(before.id), { body: { name: 'Renamed' } });
    expect(status).toBe(200);
    expect(json.data).toEqual({
      ...before,
      name: 'Renamed',
      updated_at: new Date(start + 1000).toISOString(),
    });
  });

  test('draft + DELETE → removed, 204 without a body, and not found afterwards', async () => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add();
    const { status, text, headers } = await call('DELETE', at(id));
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
    expect((await call('GET', at(id))).status).toBe(404);
    expect((await call('GET', campaigns)).json.data).toEqual([]);
    expect((await call('DELETE', at(id))).status).toBe(404);
  });

  test('draft + POST start, sending validation passes → started, then finished', async () => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add({ contact_list_ids: [1, 2] });
    const { status, json } = await call('POST', at(id, 'start'));
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      id,
      current_state: 'started',
      last_started_at: new Date(start).toISOString(),
      last_started_at_date: '2026-01-31',
      recipient_total_count: expect.any(Number) as unknown,
      template: { body_html: expect.any(String) as unknown },
    });
    emulator.clock.advance(59_999);
    expect((await call('GET', at(id))).json.data.current_state).toBe('started');
    emulator.clock.advance(1);
    expect((await call('GET', at(id))).json.data).toMatchObject({
      current_state: 'finished',
      updated_at: new Date(start + 60_000).toISOString(),
    });
  });

  test('draft + POST start, sending validation fails → draft, 422 with every reason', async () => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add({ contact_list_ids: [], template_attributes: { body_html: null } });
    const [used] = emulator.domains.list();
    if (used !== undefined) emulator.domains.setVerified(used.id, false);
    emulator.setBilling('exceeded');
    const { status, json } = await call('POST', at(id, 'start'));
    expect(status).toBe(422);
    expect(json).toEqual({
      errors: [
        "Campaign design can't be blank",
        "Audience can't be blank",
        'Sending domain is not verified',
        'Billing limit is exceeded',
      ],
    });
    expect(emulator.campaigns.stateOf(id)).toBe('draft');
  });

  test.each([
    ['body_html', { template_attributes: { body_html: ' ' } }],
    ['audience', { contact_list_ids: [] }],
  ])('the sending validation of start and schedule needs: %s', async (_, fields) => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add(fields);
    for (const answer of [
      await call('POST', at(id, 'start')),
      await call('POST', at(id, 'schedule'), { body: { datetime: inAnHour } }),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.json.errors).toHaveLength(1);
    }
    expect(emulator.campaigns.stateOf(id)).toBe('draft');
  });

  test('a segment alone is an audience', async () => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add({ contact_list_ids: [], contact_segment_ids: [3] });
    expect((await call('POST', at(id, 'start'))).status).toBe(200);
  });

  test('draft + POST schedule, in the future and within 1 month → scheduled, and the clock starts it', async () => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add();
    const { status, json } = await call('POST', at(id, 'schedule'), { body: { datetime: inAnHour } });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      current_state: 'scheduled',
      current_state_metadata: { scheduled_at: inAnHour },
    });
    emulator.clock.advance(3_600_000);
    expect((await call('GET', at(id))).json.data).toMatchObject({
      current_state: 'started',
      current_state_metadata: {},
      last_started_at: inAnHour,
    });
    emulator.clock.advance(day);
    expect((await call('GET', at(id))).json.data).toMatchObject({
      current_state: 'finished',
      updated_at: new Date(start + 3_660_000).toISOString(),
    });
  });

  test.each([
    ['absent', undefined],
    ['null', null],
    ['no date', 'tomorrow'],
    ['a day no month has', '2026-02-30T12:00:00Z'],
    ['an hour no day has', '2026-02-02T25:00:00Z'],
    ['a number', start + 1000],
    ['the present', new Date(start).toISOString()],
    ['the past', '2026-01-31T11:59:59Z'],
    ['past in its own offset', '2026-01-31T12:30:00+01:00'],
    ['more than a calendar month ahead', '2026-02-28T12:00:00.001Z'],
  ])('draft + POST schedule, datetime invalid (%s) → draft, 422 with one sentence', async (_, datetime) => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add();
    const { status, json } = await call('POST', at(id, 'schedule'), { body: { datetime } });
    expect(status).toBe(422);
    expect(json).toEqual({ errors: expect.stringMatching(/^datetime /) as unknown });
    expect(emulator.campaigns.stateOf(id)).toBe('draft');
  });

  test.each([
    ['2026-02-28T12:00:00Z', '2026-02-28T12:00:00.000Z'],
    ['2026-02-01T02:00:00+02:00', '2026-02-01T00:00:00.000Z'],
    ['2026-02-01T02:00:00+0200', '2026-02-01T00:00:00.000Z'],
    ['2026-02-01T02:00', '2026-02-01T02:00:00.000Z'],
  ])('schedule takes ISO 8601: %s', async (datetime, scheduledAt) => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add();
    const { json } = await call('POST', at(id, 'schedule'), { body: { datetime } });
    expect(json.data.current_state_metadata).toEqual({ scheduled_at: scheduledAt });
  });

  test.each(['cancel', 'reset'])(
    'scheduled + %s → draft, which can be deleted and never starts',
    async (action) => {
      const { emulator, call, at } = setUp();
      const id = emulator.campaigns.add();
      await call('POST', at(id, 'schedule'), { body: { datetime: inAnHour } });
      const { status, json } = await call('POST', at(id, action));
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ current_state: 'draft', current_state_metadata: {} });
      emulator.clock.advance(day);
      expect(emulator.campaigns.stateOf(id)).toBe('draft');
      expect((await call('DELETE', at(id))).status).toBe(204);
    },
  );

  test('a campaign cancelled and scheduled again starts at its second time only', async () => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add();
    const later = new Date(start + 2 * 3_600_000).toISOString();
    await call('POST', at(id, 'schedule'), { body: { datetime: inAnHour } });
    await call('POST', at(id, 'cancel'));
    await call('POST', at(id, 'schedule'), { body: { datetime: later } });
    emulator.clock.advance(3_600_000);
    expect(emulator.campaigns.stateOf(id)).toBe('scheduled');
    emulator.clock.advance(3_600_000);
    expect(emulator.campaigns.stateOf(id)).toBe('started');
  });

  test.each(others)('%s + update, delete, start or schedule → unchanged, 422', async (state) => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add({ state });
    const before = (await call('GET', at(id))).json.data;
    const update = await call('PATCH', at(id), { body: { name: 'Other' } });
    const remove = await call('DELETE', at(id));
    const begin = await call('POST', at(id, 'start'));
    const plan = await call('POST', at(id, 'schedule'), { body: { datetime: inAnHour } });
    expect([update, remove, begin, plan].map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect([update, begin, plan].map(({ json }) => typeof json.errors)).toEqual([
      'string',
      'string',
      'string',
    ]);
    expect(remove.json).toEqual({ errors: { base: [expect.any(String) as unknown] } });
    expect((await call('GET', at(id))).json.data).toEqual(before);
  });

  test.each(['draft', ...others.filter((state) => state !== 'scheduled')] as const)(
    '%s + cancel or reset → unchanged, 422 with one sentence',
    async (state) => {
      const { emulator, call, at } = setUp();
      const id = emulator.campaigns.add({ state });
      for (const action of ['cancel', 'reset']) {
        const { status, json } = await call('POST', at(id, action));
        expect([status, json]).toEqual([422, { errors: `Cannot transition from '${state}' to 'draft'` }]);
      }
      expect(emulator.campaigns.stateOf(id)).toBe(state);
    },
  );
});
