import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { mock } from 'node:test';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

const LIMIT = { requests: 5, perMs: 500 };

/** The real clocks, which no test tool replaces. */
const realNow = performance.now.bind(performance);
const realDate = Date.now() - realNow();

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
});

/** A client and a service with a small limit; the service keeps it by `now`. */
function limited(now?: () => number) {
  const emulator = createEmulator({ limits: { token: LIMIT }, window: 'sliding', ...(now && { now }) });
  const client = new EmailPlatform({
    ...emulator.clientOptions(),
    throttle: { limits: { token: LIMIT } },
    // A refusal would show.
    retry: false,
  });
  const call = (count: number) =>
    Promise.all(Array.from({ length: count }, () => client.sendingDomains.list().then(() => true)));
  return { call, emulator };
}

const refused = ({ emulator }: ReturnType<typeof limited>) =>
  emulator.requests.filter(({ status }) => status !== 200).length;

test('a client that was used before timers are faked goes on, and keeps to the limit in faked time', async () => {
  const service = limited();
  await service.call(5);
  vi.useFakeTimers();
  expect(performance.now()).toBeLessThan(realNow());

  let isDone = false;
  const calls = service.call(12).finally(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(LIMIT.perMs / 5);
  expect([isDone, service.emulator.requests.length]).toEqual([false, 5]);
  // Three windows: five calls, five, and two.
  await vi.advanceTimersByTimeAsync(4 * LIMIT.perMs);
  expect(await calls).toHaveLength(12);
  expect(refused(service)).toBe(0);
});

test('when real time comes back, a service that lived in it sees no request too many', async () => {
  const service = limited(() => realDate + realNow());
  await service.call(5);
  vi.useFakeTimers();
  await vi.advanceTimersByTimeAsync(1);
  // Looks at the clock while it is faked, and sends nothing: the pool is full.
  const queued = service.call(1);
  vi.useRealTimers();
  expect(await service.call(11)).toHaveLength(11);
  await queued;
  expect(refused(service)).toBe(0);
});

test('there and back, again and again', async () => {
  const service = limited();
  for (let times = 0; times < 3; times += 1) {
    await service.call(6);
    vi.useFakeTimers();
    const calls = service.call(11);
    await vi.advanceTimersByTimeAsync(4 * LIMIT.perMs);
    expect(await calls).toHaveLength(11);
    vi.useRealTimers();
  }
  await service.call(6);
  expect(refused(service)).toBe(0);
  expect(service.emulator.requests).toHaveLength(3 * 17 + 6);
});

const HOUR_MS = 3_600_000;
const mail = { from: 'a@mail.example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hello' };

describe('One advance is enough for', () => {
  // From sources, their import takes turns of the event loop; in the package, none.
  beforeAll(() => Promise.all([import('../../src/transport/runtimes/load-ky.ts'), import('p-retry')]));

  const calls: Record<string, (client: EmailPlatform) => Promise<unknown>> = {
    'a read': (client) => client.sendingDomains.list().then(),
    'an email': (client) => client.sending.send(mail),
    'an email with a file': (client) =>
      client.sending.send({ ...mail, attachments: [{ filename: 'a.txt', content: new Blob(['a']) }] }),
    'a batch': (client) =>
      client.sending.batch({
        base: { from: mail.from, subject: 'a', text: 'a' },
        requests: [{ to: 'ben@example.org' }],
      }),
    'a contact': (client) => client.contacts.create({ email: 'ann@example.org' }),
  };
  const set = () => {
    const emulator = createEmulator();
    return { emulator, client: new EmailPlatform(emulator.clientOptions()) };
  };

  test.each(Object.entries(calls))('%s, of a timer', async (_, call) => {
    const { emulator, client } = set();
    vi.useFakeTimers();
    let isDone = false;
    setTimeout(() => void call(client).finally(() => (isDone = true)), HOUR_MS);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect([emulator.requests.length, isDone]).toEqual([1, true]);
  });

  test.each(Object.entries(calls))('%s, and its retry', async (_, call) => {
    const { emulator, client } = set();
    emulator.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '5' } });
    vi.useFakeTimers();
    let isDone = false;
    void call(client).finally(() => (isDone = true));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([emulator.requests.length, isDone]).toEqual([2, true]);
  });

  test.each(Object.entries(calls))('%s, with the mock timers of node:test', async (_, call) => {
    const { emulator, client } = set();
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    let isDone = false;
    setTimeout(() => void call(client).finally(() => (isDone = true)), HOUR_MS);
    mock.timers.tick(HOUR_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect([emulator.requests.length, isDone]).toEqual([1, true]);
  });
});

describe('With the mock timers of node:test, which leave performance.now() alone,', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Lets time pass in steps until a promise settles; returns the milliseconds. */
  async function passUntil(promise: Promise<unknown>, onStep: () => void) {
    let isDone = false;
    promise.finally(() => (isDone = true)).catch(() => undefined);
    let passedMs = 0;
    for (; !(isDone as boolean) && passedMs < 120_000; passedMs += 100) {
      mock.timers.tick(100);
      onStep();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await promise;
    return passedMs;
  }

  test('a wait for the limit, or for a retry, follows faked time', async () => {
    const service = limited();
    await service.call(5);
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
    // A step takes a millisecond of real time, on a busy machine too.
    let realMs = realNow();
    const onStep = () => (realMs += 1);
    vi.spyOn(performance, 'now').mockImplementation(() => realMs);
    expect(await passUntil(service.call(12), onStep)).toBeLessThan(10 * LIMIT.perMs);
    expect(refused(service)).toBe(0);

    service.emulator.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
    const client = new EmailPlatform(service.emulator.clientOptions());
    const retried = await passUntil(client.sendingDomains.list().then(), onStep);
    expect(retried).toBeGreaterThanOrEqual(30_000);
    expect(retried).toBeLessThan(33_000);
  });

  test('a date that alone is set forward ends no wait', async () => {
    const service = limited();
    await service.call(5);
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 });
    const queued = service.call(1);
    await queued;
    mock.timers.reset();
    expect(refused(service)).toBe(0);
  });
});

describe('Without a clock that moves, timers end each window:', () => {
  test.each<[string, () => unknown]>([
    [
      'performance.now() without a number',
      () => vi.spyOn(performance, 'now').mockReturnValue(undefined as never),
    ],
    [
      'both clocks frozen',
      () => {
        vi.spyOn(performance, 'now').mockReturnValue(performance.now());
        vi.spyOn(Date, 'now').mockReturnValue(Date.now());
      },
    ],
  ])('%s', async (_, replace) => {
    replace();
    try {
      const fetch = () => Promise.resolve(Response.json({ data: { id: 1 } }));
      const throttle = { limits: { token: LIMIT } };
      const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' }, fetch, throttle });
      const calls = Array.from({ length: 12 }, async () => client.campaigns.get(1));
      expect(await Promise.all(calls)).toHaveLength(12);
    } finally {
      vi.restoreAllMocks();
    }
  });
});
