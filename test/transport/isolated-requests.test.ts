import { AbortedError, ConfigurationError, EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { Permit } from '../../src/throttle/permit.ts';
import { THROTTLE, type Throttle } from '../../src/throttle/throttle.ts';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import { rejection } from '../support/expect-error.ts';
import { json, refusedConnection, scriptedFetch, silence, type Turn } from '../support/scripted-fetch.ts';
import { slidingWindow } from '../support/server-windows.ts';
import { throughItsWaits, until, virtualRuntime } from '../support/virtual-client.ts';
import { settle, VirtualTime } from '../support/virtual-time.ts';

const found = json(200, { data: { id: 1 } });
const TIMEOUT_MS = 30_000;

/** Requests of a runtime that isolates them, with a throttle in common. */
function setUp(requests: number, perMs: number, ...turns: [Turn, ...Turn[]]) {
  const time = new VirtualTime();
  const runtime = { ...virtualRuntime(time), isolatesRequests: () => true };
  const throttle = createThrottle({ limits: { token: { requests, perMs } } }, runtime);
  const { fetch, sent } = scriptedFetch(...turns);

  /** A client as one request sees it: once that is cancelled, its timers do not fire any more. */
  function request(options: EmailPlatformOptions = {}) {
    let isCancelled = false;
    const setTimer = (ms: number, callback: () => void) =>
      time.setTimer(ms, () => {
        if (!isCancelled) callback();
      });
    const base = {
      token: 'token',
      hosts: { api: 'https://api.test' },
      throttle,
      fetch,
      retry: false,
    } as const;
    const client = new EmailPlatform(
      { ...base, timeoutMs: TIMEOUT_MS, ...options },
      { ...runtime, setTimer },
    );
    const cancel = () => {
      isCancelled = true;
    };
    return { client, get: (id: number) => client.campaigns.get(id), cancel };
  }
  return { time, request, sent };
}

describe('In a runtime that isolates requests, a queued call', () => {
  test('goes by a timer of its own, at most a quarter of a second after there is room', async () => {
    const { time, request, sent } = setUp(1, 60_000, refusedConnection, found);
    const [first, second] = [request().get(1), request().get(2)];
    await expect(first).rejects.toThrow('no connection could be made');
    await settle();
    expect(sent).toHaveLength(1); // there is room, and nothing has told the second call
    const before = time.now();
    expect(await throughItsWaits(time, second)).toEqual({ id: 1 });
    expect(time.now() - before).toBeLessThanOrEqual(250);
  });

  test('stays queued while its own timers do not fire, even if those of others do', async () => {
    const { time, request, sent } = setUp(1, 60_000, refusedConnection, found);
    const cancelled = request();
    const first = request().get(1);
    void cancelled.get(2);
    cancelled.cancel();
    await expect(first).rejects.toThrow('no connection could be made');
    await time.advance(120_000);
    expect(sent).toHaveLength(1);
  });

  test('does not look again and again while time cannot make room', async () => {
    const { time, request, sent } = setUp(1, 10_000, found);
    await request().get(1);
    let timers = 0;
    const call = request().get(2);
    await settle();
    while (sent.length < 2) {
      time.fireNext();
      timers += 1;
      await settle();
    }
    expect(await call).toEqual({ id: 1 });
    expect(timers).toBeLessThan(50);
    expect(time.now()).toBe(10_000);
  });

  test('leaves the queue when it is aborted, and leaves no timer behind', async () => {
    const { time, request } = setUp(1, 60_000, found);
    const { client, get } = request();
    await get(1);
    const controller = new AbortController();
    const call = client.campaigns.get(2, { signal: controller.signal });
    await settle();
    expect(client.limits.snapshot().token?.waiting).toBe(1);
    controller.abort();
    await rejection(call, AbortedError);
    expect(client.limits.snapshot().token?.waiting).toBe(0);
    expect(time.pending).toBe(0);
  });

  test('is sent with all others, in order, and never more of them than the limit allows', async () => {
    const { time, request, sent } = setUp(50, 1_000, found);
    const service = slidingWindow(50, 1_000);
    const refused: number[] = [];
    const calls = Array.from({ length: 400 }, (_, index) => request().get(index + 1));
    let seen = 0;
    for (let turn = 0; seen < 400 && turn < 10_000; turn += 1) {
      await settle();
      for (; seen < sent.length; seen += 1) if (!service.admit(time.now())) refused.push(seen);
      if (time.nextAt < time.now() + TIMEOUT_MS) time.fireNext();
    }
    await Promise.all(calls);
    expect(refused).toEqual([]);
    expect(time.now()).toBeLessThan(8_000);
    const ids = sent.map(({ url }) => Number(url.split('/').at(-1)));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  });
});

describe('A request that is cancelled', () => {
  test('while its call is queued, does not keep the others from going', async () => {
    const { time, request, sent } = setUp(1, 1_000, found);
    await request().get(1);
    const cancelled = Array.from({ length: 20 }, () => {
      const one = request();
      void one.get(2);
      return one;
    });
    await settle();
    for (const { cancel } of cancelled) cancel();
    const last = request();
    expect(await throughItsWaits(time, last.get(3))).toEqual({ id: 1 });
    expect(sent).toHaveLength(2);
    expect(time.now()).toBeLessThanOrEqual(7_000);
    expect(last.client.limits.snapshot().token?.waiting).toBe(0);
  });

  test('while its call is in flight, keeps its permit for as long as the service may still count it', async () => {
    const { time, request, sent } = setUp(1, 10_000, silence, found);
    const cancelled = request();
    void cancelled.get(1);
    await until(() => sent.length === 1);
    cancelled.cancel();
    expect(await throughItsWaits(time, request({ timeoutMs: 120_000 }).get(2))).toEqual({ id: 1 });
    expect(time.now()).toBeGreaterThanOrEqual(TIMEOUT_MS + 10_000);
    expect(time.now()).toBeLessThanOrEqual(TIMEOUT_MS + 17_000);
  });
});

test('A call that could not look for so long that it was taken for cancelled is sent all the same', async () => {
  const { time, request, sent } = setUp(1, 20_000, found);
  await request().get(1);
  const [late, punctual] = [request().get(2), request().get(3)];
  await settle();
  time.stall(6_000);
  expect(await throughItsWaits(time, Promise.all([late, punctual]))).toEqual([{ id: 1 }, { id: 1 }]);
  expect(sent).toHaveLength(3);
});

test('A queued call that the throttle refuses fails with the reason', async () => {
  const { time, request } = setUp(1, 1_000, found);
  let asked: Permit | undefined;
  const throttle: Throttle = {
    [Symbol.toStringTag]: THROTTLE,
    acquire: (wanted) => (asked = new Permit(wanted, [], 1, () => undefined)),
    look: () => Infinity,
    block: () => ({ isClosed: false, givesUpWindows: false }),
    limitOf: () => undefined,
    snapshot: () => ({}),
    estimate: () => 0,
  };
  const failed = rejection(request({ throttle }).get(1), ConfigurationError);
  asked?.waiter?.reject(new ConfigurationError('There will be no permit.', { option: 'throttle' }));
  expect((await throughItsWaits(time, failed)).option).toBe('throttle');
  expect(time.pending).toBe(0);
});
