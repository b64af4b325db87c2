import {
  AbortedError,
  InvalidRequestError,
  isFinishedCampaignState,
  CAMPAIGN_STATES,
  TimeoutError,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { json, scriptedFetch } from '../../support/scripted-fetch.ts';
import {
  throughItsWaits,
  until,
  virtualClient,
  virtualRuntime,
  WALL_START,
} from '../../support/virtual-client.ts';
import { EmailPlatform } from 'email-platform';
import { VirtualTime } from '../../support/virtual-time.ts';

const inState = (current_state: string) => json(200, { data: { id: 1, current_state } });

describe('campaigns.waitUntilFinished', () => {
  test('polls a campaign that is being sent until it has ended, and says how it goes', async () => {
    const time = new VirtualTime();
    const emulator = createEmulator({ now: () => WALL_START + time.now() });
    const client = new EmailPlatform(emulator.clientOptions(), virtualRuntime(time));
    const id = emulator.campaigns.add({ name: 'News' });
    await client.campaigns.start(id);
    const seen: string[] = [];
    const ended = await throughItsWaits(
      time,
      client.campaigns.waitUntilFinished(id, { onProgress: ({ current_state }) => seen.push(current_state) }),
    );
    expect(ended).toMatchObject({ id, current_state: 'finished' });
    // A campaign takes a minute to send.
    expect(seen).toEqual([...Array.from({ length: 6 }, () => 'started'), 'finished']);
  });

  test.each(['finished', 'failed', 'failed_immediately'])('resolves to one that is %s', async (state) => {
    const { fetch, sent } = scriptedFetch(inState('queued'), inState(state));
    const { client, time } = virtualClient({ fetch });
    const ended = await throughItsWaits(time, client.campaigns.waitUntilFinished(1, { pollMs: 50 }));
    expect(ended.current_state).toBe(state);
    expect([sent.length, time.now()]).toEqual([2, 50]);
  });

  test('passes on states that the service has added since, and goes on', async () => {
    const { fetch } = scriptedFetch(inState('hibernating'), inState('finished'));
    const { client, time } = virtualClient({ fetch });
    const seen: string[] = [];
    const onProgress = ({ current_state }: { current_state: string }) => seen.push(current_state);
    await throughItsWaits(time, client.campaigns.waitUntilFinished(1, { onProgress }));
    expect(seen).toEqual(['hibernating', 'finished']);
  });

  test('ends at its deadline, with the state it saw last', async () => {
    const { fetch } = scriptedFetch(inState('draft'));
    const { client, time } = virtualClient({ fetch });
    const waiting = client.campaigns.waitUntilFinished(1, { deadlineMs: 3000, pollMs: 1000 });
    const error = await rejection(throughItsWaits(time, waiting), TimeoutError);
    expect(error.message).toBe(
      'campaigns.waitUntilFinished: 1 was not ready within 3000 ms; its state is draft',
    );
  });

  test('ends when its signal is aborted, and refuses a wrong id', async () => {
    const { fetch, sent } = scriptedFetch(inState('started'));
    const { client, time } = virtualClient({ fetch });
    const controller = new AbortController();
    const waiting = client.campaigns.waitUntilFinished(1, { signal: controller.signal });
    await until(() => sent.length === 1 && time.nextAt === 10_000);
    controller.abort();
    await rejection(waiting, AbortedError);
    await rejection(client.campaigns.waitUntilFinished(0), InvalidRequestError);
    expect(sent).toHaveLength(1);
  });
});

test('isFinishedCampaignState is true of the states in which a campaign stays', () => {
  expect(CAMPAIGN_STATES.filter(isFinishedCampaignState)).toEqual([
    'finished',
    'failed',
    'failed_immediately',
  ]);
  expect(['Finished', '', 'archived', 'constructor'].some(isFinishedCampaignState)).toBe(false);
});
