import {
  CAMPAIGN_STATES,
  LifecycleError,
  NotFoundError,
  UnprocessableError,
  ValidationError,
} from 'email-platform';
import type { EmailPlatform } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../../../support/expect-error.ts';
import { inMemoryAndOnAPort } from '../../../../support/in-memory-and-on-a-port.ts';

const inAnHour = () => new Date(Date.now() + 3_600_000);
const DAY_MS = 86_400_000;

type Action = 'update' | 'delete' | 'start' | 'schedule' | 'cancel' | 'reset' | 'terminate';

const run = (client: EmailPlatform, action: Action, id: number): Promise<unknown> => {
  if (action === 'update') return client.campaigns.update(id, { name: 'Renamed' });
  if (action === 'schedule') return client.campaigns.schedule(id, { datetime: inAnHour() });
  return client.campaigns[action](id);
};

describe.each(inMemoryAndOnAPort)('States and transitions, %s', (_, connect) => {
  test('(none) + POST create, valid request → draft', async () => {
    const { emulator, client } = await connect();
    const { id, current_state } = await client.campaigns.create({
      name: 'n',
      domain_id: emulator.domains.list().find(({ verified }) => verified)?.id ?? 0,
      from_local_part: 'f',
      template_attributes: { subject: 's' },
    });
    expect([current_state, emulator.campaigns.stateOf(id)]).toEqual(['draft', 'draft']);
  });

  test('draft + PATCH update, valid request → draft, only provided attributes change', async () => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add();
    const before = await client.campaigns.get(id);
    const after = await client.campaigns.update(id, { name: 'Renamed' });
    expect(after).toEqual({ ...before, name: 'Renamed', updated_at: after.updated_at });
  });

  test('draft + DELETE → removed, 204', async () => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add();
    await client.campaigns.delete(id);
    await rejection(client.campaigns.get(id), NotFoundError);
    await rejection(client.campaigns.delete(id), NotFoundError);
    expect(await client.campaigns.list().toArray()).toEqual([]);
  });

  test('draft + POST start, sending validation passes → sending begins', async () => {
    const { emulator, client } = await connect();
    const campaign = await client.campaigns.start(emulator.campaigns.add());
    expect(campaign).toMatchObject({
      current_state: 'started',
      last_started_at: expect.any(String) as unknown,
    });
    expect(campaign.last_started_at_date).toBe(campaign.last_started_at?.slice(0, 10));
    emulator.clock.advance(60_000);
    expect((await client.campaigns.get(campaign.id)).current_state).toBe('finished');
  });

  test.each(['start', 'schedule'] as const)(
    'draft + POST %s, sending validation fails → draft, 422 with every reason',
    async (action) => {
      const { emulator, client } = await connect();
      const id = emulator.campaigns.add({ contact_list_ids: [], template_attributes: { body_html: '' } });
      const domain = emulator.domains.list().find(({ verified }) => verified)?.id ?? 0;
      emulator.domains.setVerified(domain, false);
      emulator.setBilling('exceeded');
      const error = await rejection(run(client, action, id), LifecycleError);
      expect(error.reasons).toEqual([
        "Campaign design can't be blank",
        "Audience can't be blank",
        'Sending domain is not verified',
        'Billing limit is exceeded',
      ]);
      expect(error).toMatchObject({ status: 422, effect: 'none', code: 'lifecycle_rejected' });
      expect(emulator.campaigns.stateOf(id)).toBe('draft');
    },
  );

  test('draft + POST schedule, in the future and within 1 month → scheduled, with its time', async () => {
    const { emulator, client } = await connect();
    const datetime = inAnHour();
    const campaign = await client.campaigns.schedule(emulator.campaigns.add(), { datetime });
    expect(campaign.current_state).toBe('scheduled');
    expect(campaign.current_state_metadata.scheduled_at).toBe(datetime.toISOString());
    emulator.clock.advance(3_600_000);
    expect((await client.campaigns.get(campaign.id)).current_state).toBe('started');
  });

  test.each([
    ['in the past', -60_000, 'datetime must be in the future'],
    ['more than a month ahead', 31 * DAY_MS + 3_600_000, 'datetime must be within 1 month from now'],
  ])('draft + POST schedule, datetime %s → draft, 422', async (_name, ahead, reason) => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add();
    const datetime = new Date(Date.now() + ahead);
    const error = await rejection(client.campaigns.schedule(id, { datetime }), LifecycleError);
    expect(error.reasons).toEqual([reason]);
    expect(emulator.campaigns.stateOf(id)).toBe('draft');
  });

  test.each(['cancel', 'reset'] as const)(
    'scheduled + %s action → draft, and deletable again',
    async (action) => {
      const { emulator, client } = await connect();
      const id = emulator.campaigns.add();
      await client.campaigns.schedule(id, { datetime: inAnHour() });
      await rejection(client.campaigns.delete(id), UnprocessableError);
      const campaign = await client.campaigns[action](id);
      expect([campaign.current_state, campaign.current_state_metadata]).toEqual(['draft', {}]);
      await client.campaigns.delete(id);
    },
  );

  describe('any state other than draft + update, delete, start or schedule → unchanged, 422', () => {
    const states = CAMPAIGN_STATES.filter((state) => state !== 'draft');

    test.each(states)('%s', async (state) => {
      const { emulator, client } = await connect();
      const id = emulator.campaigns.add();
      emulator.campaigns.setState(id, state);
      const before = await client.campaigns.get(id);
      const reasons: readonly [Action, string][] = [
        ['update', 'Only draft campaigns can be updated'],
        ['start', `Cannot transition from '${state}' to 'started'`],
        ['schedule', `Cannot transition from '${state}' to 'scheduled'`],
      ];
      for (const [action, reason] of reasons) {
        const error = await rejection(run(client, action, id), LifecycleError);
        expect([error.status, error.effect, error.reasons]).toEqual([422, 'none', [reason]]);
      }
      const error = await rejection(client.campaigns.delete(id), ValidationError);
      expect(error.fieldErrors).toEqual({ base: ['Only draft campaigns can be deleted'] });
      expect(await client.campaigns.get(id)).toEqual(before);
    });
  });

  test.each([
    ['cancel', ['scheduled']],
    ['reset', ['scheduled']],
    ['terminate', ['started', 'queued', 'paused']],
  ] as const)('%s is possible from %j and from no other state', async (action, from) => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add();
    for (const state of CAMPAIGN_STATES) {
      emulator.campaigns.setState(id, state);
      const outcome = await client.campaigns[action](id).then(
        ({ current_state }) => current_state,
        (error: unknown) => (error instanceof LifecycleError ? error.status : error),
      );
      const isPossible = (from as readonly string[]).includes(state);
      expect([state, outcome]).toEqual([state, isPossible ? emulator.campaigns.stateOf(id) : 422]);
    }
  });

  test('a campaign that has been started never returns to draft', async () => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add();
    await client.campaigns.start(id);
    for (const action of ['cancel', 'reset', 'delete'] as const) {
      await rejection(run(client, action, id), UnprocessableError);
    }
    expect((await client.campaigns.terminate(id)).current_state).toBe('terminating');
    emulator.clock.advance(60_000);
    expect((await client.campaigns.get(id)).current_state).toBe('finished');
    await rejection(client.campaigns.delete(id), UnprocessableError);
  });
});
