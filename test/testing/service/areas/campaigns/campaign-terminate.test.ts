import { describe, expect, test } from 'vitest';
import type { Emulator } from 'email-platform/testing';
import { campaigns, still, wire } from '../../../tools/wire.ts';

const day = 86_400_000;

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

describe('States and transitions that the specification leaves open', () => {
  test.each(['started', 'queued', 'paused'] as const)(
    '%s + terminate → terminating, then finished',
    async (state) => {
      const { emulator, call, at } = setUp();
      const id = emulator.campaigns.add({ state });
      const { status, json } = await call('POST', at(id, 'terminate'));
      expect([status, json.data.current_state]).toEqual([200, 'terminating']);
      emulator.clock.advance(5000);
      expect(emulator.campaigns.stateOf(id)).toBe('finished');
    },
  );

  test('a campaign that is terminated halfway was sent to half of its recipients', async () => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add();
    const { recipient_total_count: all } = (await call('POST', at(id, 'start'))).json.data;
    emulator.clock.advance(30_000);
    await call('POST', at(id, 'terminate'));
    emulator.clock.advance(day);
    expect((await call('GET', at(id, 'stats'))).json.data.sent_count).toBe(Math.floor(all / 2));
  });

  test.each(['draft', ...others.filter((one) => !['started', 'queued', 'paused'].includes(one))] as const)(
    '%s + terminate → unchanged, 422 with one sentence',
    async (state) => {
      const { emulator, call, at } = setUp();
      const id = emulator.campaigns.add({ state });
      const { status, json } = await call('POST', at(id, 'terminate'));
      expect([status, typeof json.errors]).toEqual([422, 'string']);
      expect(emulator.campaigns.stateOf(id)).toBe(state);
    },
  );

  test('the duration of sending and its state are options', async () => {
    const emulator = still({ campaigns: { startedState: 'queued', sendMs: 10 } });
    const call = wire(emulator);
    const id = emulator.campaigns.add();
    expect((await call('POST', `${campaigns}/${id}/start`)).json.data.current_state).toBe('queued');
    emulator.clock.advance(10);
    expect(emulator.campaigns.stateOf(id)).toBe('finished');
  });

  test('the duration of a gradual delivery follows from its emails per hour', async () => {
    const { emulator, call, at } = setUp();
    const id = emulator.campaigns.add({
      delivery_mode: 'gradual',
      delivery_options: { emails_per_hour: 1 },
    });
    const { recipient_total_count: all } = (await call('POST', at(id, 'start'))).json.data;
    emulator.clock.advance(all * 3_600_000 - 1);
    expect(emulator.campaigns.stateOf(id)).toBe('started');
    emulator.clock.advance(1);
    expect(emulator.campaigns.stateOf(id)).toBe('finished');
  });
});
