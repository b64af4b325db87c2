import {
  EmailPlatform,
  EmailPlatformError,
  TimeoutError,
  type EmailPlatformOptions,
  type RequestOptions,
} from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryStore } from '../entries/journal/memory-store.ts';
import { rejection } from '../support/expect-error.ts';
import { json, lost, scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { until, virtualRuntime, WALL_START } from '../support/virtual-client.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const HOUR_MS = 3_600_000;
const campaign = json(200, { data: { id: 1, current_state: 'draft' } });

/** A client whose wall clock can be moved alone, as it moves while the machine is suspended, or when it is set. */
function onMachine(options: EmailPlatformOptions, ...turns: Turn[]) {
  const { fetch, sent } = scriptedFetch(turns[0] ?? lost, ...turns.slice(1));
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

describe('Nothing of a request is sent once its time is over, though its connection stood only then', () => {
  const content = () => new Blob(['x'.repeat(200_000)]).stream();
  const bodies: Record<string, (client: EmailPlatform, options: RequestOptions) => Promise<unknown>> = {
    text: (client, options) => client.sending.send(mail, options),
    Blob: (client, options) =>
      client.sending.send({ ...mail, attachments: [{ filename: 'a', content: content() }] }, options),
    empty: (client, options) => client.request({ method: 'POST', path: '/api/anything' }, options),
  };
  const late = { code: 'timeout', effect: 'none' };
  const limits = {
    deadline: { options: { deadlineMs: 60_000 }, expected: { ...late, kind: 'deadline' } },
    timeout: { options: { timeoutMs: 60_000 }, expected: { ...late, kind: 'attempt' } },
    abort: { options: {}, expected: { code: 'aborted', effect: 'none' } },
  };
  const cases = Object.entries(bodies).flatMap(([body, run]) =>
    Object.entries(limits).map(([limit, of]) => ({ body, run, limit, ...of })),
  );

  /** Takes the place of Node's `fetch`, and asks for the body as that does: once before it connects, and again when it can write. */
  function connectingFetch(connected: () => void) {
    const sizes: number[] = [];
    const fetchImpl: typeof fetch = async (_, init) => {
      const reader = (init?.body as ReadableStream<Uint8Array>).getReader();
      const read = async () => {
        const { done, value } = await reader.read();
        if (!done) sizes.push(value.length);
        return done;
      };
      await read();
      connected();
      while (!(await read()));
      return Response.json({ success: true, message_ids: ['1'] });
    };
    // Node's own is known by its source, and calls a function of this name.
    vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => fetchImpl(...args));
    onTestFinished(() => void vi.unstubAllGlobals());
    return { sizes };
  }

  test.each(cases)('$body, $limit', async ({ run, limit, options, expected }) => {
    const aborts = new AbortController();
    const { sizes } = connectingFetch(() => {
      if (limit === 'abort') aborts.abort();
      else setWallClock(HOUR_MS);
    });
    const { client, setWallClock } = onMachine({ fetch: undefined, retry: false });
    const call = run(client, { ...options, signal: aborts.signal });
    expect(await rejection(call, EmailPlatformError)).toMatchObject(expected);
    // The first chunk is empty, and the only one.
    expect(sizes).toEqual([0]);
  });

  test.each(Object.entries(bodies))('in time, all of it is: %s', async (body, run) => {
    const { sizes } = connectingFetch(() => setWallClock(59_000));
    const { client, setWallClock } = onMachine({ fetch: undefined, retry: false });
    await run(client, { deadlineMs: 60_000, timeoutMs: 60_000 });
    const size = sizes.reduce((sum, each) => sum + each, 0);
    expect(sizes[0]).toBe(0);
    expect(size).toBeGreaterThan({ text: 100, Blob: 200_000 }[body] ?? -1);
  });

  test('with a key: the lease is not over either, and the key is free again', async () => {
    const store = new MemoryStore();
    const claimedFor: number[] = [];
    const claim = store.claim.bind(store);
    store.claim = (claims) => {
      claimedFor.push(...claims.map(({ leaseMs }) => leaseMs));
      return claim(claims);
    };
    // Of the lease of a minute and the timeout, 59 s pass before the request, and the timeout while it connects.
    const { sizes } = connectingFetch(() => setWallClock(30_000));
    const token = () => {
      setWallClock(59_000);
      return 'token';
    };
    const options = { fetch: undefined, token, retry: false, journal: createJournal(store) } as const;
    const { client, setWallClock } = onMachine(options);
    const error = await rejection(client.sending.send(mail, { idempotencyKey: 'key' }), TimeoutError);
    expect(error).toMatchObject({ kind: 'attempt', effect: 'none' });
    expect([claimedFor, sizes, store.state('key')]).toEqual([[90_000], [0], 'released']);
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
