import { EmailPlatform, TimeoutError, type EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { json, lost, scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { until, virtualRuntime, WALL_START } from '../support/virtual-client.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const HOUR_MS = 3_600_000;
const campaign = json(200, { data: { id: 1, current_state: 'draft' } });

/** A client whose wall clock can be moved alone, as it moves while the machine is suspended, or when it is set. */
function onMachine(options: EmailPlatformOptions, ...turns: [Turn, ...Turn[]]) {
  const { fetch, sent } = scriptedFetch(...turns);
  const time = new VirtualTime();
  let aheadMs = 0;
  const runtime = { ...virtualRuntime(time), wallNow: () => WALL_START + time.now() + aheadMs };
  const hosts = { api: 'https://api.test', send: 'https://send.test' };
  const client = new EmailPlatform({ token: 'token', hosts, fetch, throttle: false, ...options }, runtime);
  const setWallClock = (ms: number) => {
    aheadMs += ms;
  };
  return { client, time, sent, setWallClock };
}

const mail = {
  from: { email: 'hello@mail.example.com' },
  to: [{ email: 'ann@example.org' }],
  subject: 'Your code',
  text: '123456',
};

describe('Nothing is sent after its deadline, though the machine was suspended in between', () => {
  test('by a call that was queued', async () => {
    const throttle = { limits: { token: { requests: 1, perMs: 1000 } } };
    const accepted = json(200, { success: true, message_ids: ['a'] });
    const { client, time, sent, setWallClock } = onMachine({ throttle }, accepted);
    await client.sending.send(mail);
    const queued = client.sending.send(mail, { deadlineMs: 60_000 });
    setWallClock(HOUR_MS);
    const error = await rejection(time.run(queued), TimeoutError);
    expect(error).toMatchObject({ kind: 'deadline', effect: 'none', request: { attempts: 0 } });
    expect(sent).toHaveLength(1);
  });

  test('by a call that waited to be retried; an earlier attempt may have acted', async () => {
    const { client, time, sent, setWallClock } = onMachine({}, lost, campaign);
    const call = client.campaigns.get(1, { deadlineMs: 60_000 });
    call.catch(() => undefined);
    await until(() => sent.length === 1 && time.nextAt < 30_000);
    setWallClock(HOUR_MS);
    const error = await rejection(time.run(call), TimeoutError);
    expect(error).toMatchObject({ kind: 'deadline', effect: 'unknown', request: { attempts: 1 } });
    expect(sent).toHaveLength(1);
  });

  test('by a call whose token was still being fetched', async () => {
    let supply!: (token: string) => void;
    const token = () => new Promise<string>((resolve) => (supply = resolve));
    const { client, sent, setWallClock } = onMachine({ token }, campaign);
    const call = client.campaigns.get(1, { deadlineMs: 60_000 });
    setWallClock(HOUR_MS);
    supply('token');
    const error = await rejection(call, TimeoutError);
    expect(error).toMatchObject({ kind: 'deadline', effect: 'none' });
    expect(sent).toHaveLength(0);
  });

  test('by a wait that polls', async () => {
    const { client, time, sent, setWallClock } = onMachine(
      {},
      json(200, { id: 5, status: 'started' }),
      json(200, { id: 5, status: 'finished' }),
    );
    const waiting = client.contacts.imports.waitUntilFinished(5, { deadlineMs: 60_000, pollMs: 2000 });
    waiting.catch(() => undefined);
    await until(() => sent.length === 1 && time.nextAt === 2000);
    setWallClock(HOUR_MS);
    const error = await rejection(time.run(waiting), TimeoutError);
    expect(error.kind).toBe('deadline');
    expect(sent).toHaveLength(1);
  });
});

describe('A wall clock that is set', () => {
  test('back changes nothing', async () => {
    const { client, time, sent, setWallClock } = onMachine({}, lost, campaign);
    const call = client.campaigns.get(1, { deadlineMs: 60_000 });
    await until(() => sent.length === 1 && time.nextAt < 30_000);
    setWallClock(-24 * HOUR_MS);
    expect(await time.run(call)).toMatchObject({ id: 1 });
    expect(sent).toHaveLength(2);
  });

  test('forward may end a call early; one without a deadline goes on', async () => {
    const { client, time, sent, setWallClock } = onMachine({}, lost, lost, campaign);
    const ends = client.campaigns.get(1, { deadlineMs: 60_000 });
    ends.catch(() => undefined);
    const goesOn = client.campaigns.get(1);
    await until(() => sent.length === 2 && time.nextAt < 30_000);
    setWallClock(HOUR_MS);
    expect(await time.run(goesOn)).toMatchObject({ id: 1 });
    expect((await rejection(ends, TimeoutError)).kind).toBe('deadline');
    expect(sent).toHaveLength(3);
  });
});
