import {
  AbortedError,
  CAMPAIGN_STATES,
  ConnectionError,
  EmailPlatform,
  LifecycleError,
  NotFoundError,
  ResponseFormatError,
} from 'email-platform';
import { type Emulator, createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { empty, json, lost, scriptedFetch, silence } from '../../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient, virtualRuntime } from '../../support/virtual-client.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

type Action = 'start' | 'schedule' | 'cancel' | 'reset' | 'terminate';

const datetime = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
const at = (ms: number) => ({ scheduled_at: new Date(datetime.getTime() + ms).toISOString() });

/** A campaign in some state, and a client that calls `between` before it retries a request. */
function setUp(state: Emulator.CampaignState, between: () => void = () => undefined) {
  const emulator = createEmulator();
  const time = new VirtualTime();
  const client = new EmailPlatform(
    { ...emulator.clientOptions(), timeoutMs: 2_147_483_647, hooks: { onRetry: () => between() } },
    virtualRuntime(time),
  );
  const id = emulator.campaigns.add();
  if (state !== 'draft') emulator.campaigns.setState(id, state, state === 'scheduled' ? at(0) : {});
  const { campaigns } = client;
  const start = (action: Action) =>
    action === 'schedule' ? campaigns.schedule(id, { datetime }) : campaigns[action](id);
  return {
    emulator,
    id,
    act: (action: Action) => throughItsWaits(time, start(action)),
    actWithResponse: (action: Action) => throughItsWaits(time, start(action).withResponse()),
    log: () => emulator.requests.map(({ method, status }) => `${method} ${String(status)}`),
  };
}

const from: Readonly<Record<Action, Emulator.CampaignState>> = {
  start: 'draft',
  schedule: 'draft',
  cancel: 'scheduled',
  reset: 'scheduled',
  terminate: 'started',
};
const actions = Object.keys(from) as Action[];

describe.each(actions)('%s, whose response was lost', (action) => {
  test('succeeds if it worked: its retry is refused, and the campaign is read to find out', async () => {
    const { emulator, act, log, id } = setUp(from[action]);
    emulator.faults.next({ kind: 'reset-after' });
    const campaign = await act(action);
    expect(campaign.current_state).toBe(emulator.campaigns.stateOf(id));
    expect(log()).toEqual(['POST null', 'POST 422', 'GET 200']);
  });

  test('succeeds by its retry if it did nothing', async () => {
    const { emulator, act, log } = setUp(from[action]);
    emulator.faults.next({ kind: 'reset-before' });
    await act(action);
    expect(log()).toEqual(['POST null', 'POST 200']);
  });

  test('succeeds as well if the body broke off or the service failed after acting', async () => {
    for (const kind of ['truncate', 'html'] as const) {
      const { emulator, act, log } = setUp(from[action]);
      emulator.faults.next({ kind, acts: true });
      await act(action);
      expect(log().slice(1)).toEqual(['POST 422', 'GET 200']);
    }
  });

  test('fails with its first error if the campaign cannot be read', async () => {
    const { emulator, act, log } = setUp(from[action]);
    emulator.faults.next({ kind: 'reset-after' });
    emulator.faults.next({ kind: 'status', status: 404, match: { method: 'GET' } });
    const error = await rejection(act(action), ConnectionError);
    expect(error).toMatchObject({ effect: 'unknown', request: { operation: `campaigns.${action}` } });
    expect(log()).toEqual(['POST null', 'POST 422', 'GET 404']);
  });

  test('returns the response of the read that settled it', async () => {
    const { emulator, actWithResponse } = setUp(from[action]);
    emulator.faults.next({ kind: 'reset-after' });
    const { data, response } = await actWithResponse(action);
    expect(response).toMatchObject({ status: 200, rateLimit: { limit: 150 } });
    expect(data.template.body_html).toContain('Unsubscribe');
  });
});

/** For each action, the states that settle it as done, when the campaign is found in them after a refused retry. */
const settled: Readonly<Record<Action, readonly Emulator.CampaignState[]>> = {
  start: CAMPAIGN_STATES.filter((state) => state !== 'draft' && state !== 'scheduled'),
  schedule: CAMPAIGN_STATES.filter((state) => state !== 'draft'),
  cancel: ['draft'],
  reset: ['draft'],
  terminate: ['terminating', 'finished', 'failed', 'failed_immediately'],
};
/** The states in which the retry itself succeeds. */
const possible: Readonly<Record<Action, readonly Emulator.CampaignState[]>> = {
  start: ['draft'],
  schedule: ['draft'],
  cancel: ['scheduled'],
  reset: ['scheduled'],
  terminate: ['started', 'queued', 'paused'],
};

describe.each(actions)('%s, whose response was lost, and whose campaign is then found', (action) => {
  const refused = CAMPAIGN_STATES.filter((state) => !possible[action].includes(state));

  test.each(refused)('%s', async (state) => {
    const metadata = state === 'scheduled' ? at(0) : {};
    const { emulator, act, id, log } = setUp(from[action], () => {
      emulator.campaigns.setState(id, state, metadata);
    });
    emulator.faults.next({ kind: 'reset-before' });
    if (settled[action].includes(state)) expect(await act(action)).toMatchObject({ current_state: state });
    else await rejection(act(action), ConnectionError);
    expect(log()).toEqual(['POST null', 'POST 422', 'GET 200']);
  });
});

describe('schedule, whose response was lost, and whose campaign is then found scheduled', () => {
  test.each([
    ['for that time, in whole seconds', -999, true],
    ['for a second later', 1000, false],
    ['for another time', 86_400_000, false],
  ])('%s', async (_, ms, isSettled) => {
    const { emulator, act, id } = setUp('draft', () => {
      emulator.campaigns.setState(id, 'scheduled', at(ms));
    });
    emulator.faults.next({ kind: 'reset-before' });
    if (isSettled) expect((await act('schedule')).current_state).toBe('scheduled');
    else await rejection(act('schedule'), ConnectionError);
  });

  test('without a time', async () => {
    const { emulator, act, id } = setUp('draft', () => {
      emulator.campaigns.setState(id, 'scheduled');
    });
    emulator.faults.next({ kind: 'reset-before' });
    await rejection(act('schedule'), ConnectionError);
  });
});

test('schedule reads the campaign when the response lacks it', async () => {
  const { fetch, sent } = scriptedFetch(
    empty(204),
    json(200, { data: { id: 7, current_state: 'scheduled' } }),
  );
  const { client } = virtualClient({ fetch });
  const { data, response } = await client.campaigns.schedule(7, { datetime }).withResponse();
  expect([data.current_state, response.status]).toEqual(['scheduled', 200]);
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('the read that follows has what is left of the deadline', async () => {
  let respond = () => new Response(null, { status: 204 });
  const { fetch } = scriptedFetch(() => respond(), silence);
  const { client, time } = virtualClient({ fetch });
  respond = () => {
    time.stall(3_000);
    return new Response(null, { status: 204 });
  };
  const scheduled = client.campaigns.schedule(7, { datetime }, { deadlineMs: 5_000 });
  await rejection(throughItsWaits(time, scheduled), ResponseFormatError);
  expect(time.now()).toBe(5_000);
});

test('start, whose response was lost, is not settled by a campaign without a state', async () => {
  const { fetch } = scriptedFetch(lost, json(422, { errors: 'no' }), json(200, { data: {} }));
  const { client, time } = virtualClient({ fetch });
  await rejection(throughItsWaits(time, client.campaigns.start(7)), ConnectionError);
});

test('A call aborted while it is being settled throws AbortedError with effect unknown', async () => {
  const emulator = createEmulator();
  const controller = new AbortController();
  const { client, time } = virtualClient({ ...emulator.clientOptions(), throttle: false });
  const id = emulator.campaigns.add();
  emulator.faults.next({ kind: 'reset-after' });
  emulator.faults.next({ kind: 'stall', match: { method: 'GET' } });
  const failed = rejection(
    throughItsWaits(time, client.campaigns.start(id, { signal: controller.signal })),
    AbortedError,
  );
  await until(() => emulator.requests.length === 3);
  controller.abort();
  expect(await failed).toMatchObject({ effect: 'unknown', request: { operation: 'campaigns.start' } });
});

describe('Nothing is settled', () => {
  test.each(actions)('when %s is refused at once', async (action) => {
    const { act, log } = setUp('failed_immediately');
    const error = await rejection(act(action), LifecycleError);
    expect(error.effect).toBe('none');
    expect(log()).toEqual(['POST 422']);
  });

  test.each(actions)('when the campaign of a lost %s is gone', async (action) => {
    const { emulator, act, log } = setUp(from[action]);
    emulator.faults.next({ kind: 'reset-before' });
    emulator.faults.next({ kind: 'status', status: 404, body: { error: 'Not Found' } });
    const error = await rejection(act(action), NotFoundError);
    expect(error.effect).toBe('unknown');
    expect(log()).toEqual(['POST null', 'POST 404']);
  });
});
