import { describe, expect, test, vi } from 'vitest';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import { acquirePermit, permitRequest } from '../support/permit-request.ts';
import { ThrottleHarness } from '../support/throttle-harness.ts';

const key = { token: 'a' };
const limits = { token: { requests: 2, perMs: 1_000 } };

describe('the order of the queue', () => {
  test('is that in which calls were made', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2);
    for (const name of ['one', 'two', 'three']) harness.call(name);
    await harness.time.advance(1_000);
    expect(harness.sent).toEqual(['one', 'two']);
  });

  test('is by priority; within one, retries go before first attempts', async () => {
    const harness = new ThrottleHarness({ limits: { token: { requests: 8, perMs: 1_000 } } });
    harness.use(8);
    harness.call('low', { priority: 'low' });
    harness.call('normal');
    harness.call('low again', { priority: 'low', isRetry: true });
    harness.call('normal again', { isRetry: true });
    harness.call('normal again, later', { isRetry: true });
    harness.call('high', { priority: 'high' });
    harness.call('high again', { priority: 'high', isRetry: true });
    await harness.time.advance(1_000);
    expect(harness.sent).toEqual([
      'high again',
      'high',
      'normal again',
      'normal again, later',
      'normal',
      'low again',
      'low',
    ]);
  });

  test('when a timer is late, room goes to queued calls first, and the rest to a new one', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2);
    harness.call('waiting');
    harness.time.stall(1_500);
    expect(harness.call('newcomer').isImmediate).toBe(true);
    expect(harness.call('next').isImmediate).toBe(false);
    await harness.time.advance(0);
    expect(harness.sent).toEqual(['newcomer', 'waiting']);
    expect(harness.throttle.snapshot(key).token).toMatchObject({ used: 2, waiting: 1 });
  });

  test('a new call does not take the last room from queued calls of its rank', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2);
    harness.call('one');
    harness.call('two');
    harness.time.stall(1_500);
    expect(harness.call('newcomer').isImmediate).toBe(false);
    await harness.time.advance(0);
    expect(harness.sent).toEqual(['one', 'two']);
  });

  test('when a timer is late, a new call of higher priority goes at once', () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2);
    harness.call('one');
    harness.call('two');
    harness.time.stall(1_500);
    const waits: unknown[] = [];
    const urgent = harness.call('urgent', { priority: 'high', onWait: (wait) => waits.push(wait) });
    expect(urgent.isImmediate).toBe(true);
    expect(waits).toEqual([]);
  });
});

describe('a queued call that ends', () => {
  test('leaves the queue at once, and the next takes its place', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2);
    const one = harness.call('one');
    harness.call('two');
    one.leave();
    one.leave();
    expect(harness.throttle.snapshot(key).token?.waiting).toBe(1);
    await harness.time.advance(1_000);
    expect(harness.sent).toEqual(['two']);
  });

  test('leaves no timer if it was the last', () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2);
    const call = harness.call('one');
    expect(harness.time.pending).toBe(1);
    call.leave();
    expect(harness.time.pending).toBe(0);
  });

  test('sets no timer: thousands may leave at once', () => {
    let timers = 0;
    const setTimer = () => {
      timers += 1;
      return () => undefined;
    };
    const throttle = createThrottle({ limits }, { now: () => 0, setTimer });
    for (let taken = 0; taken < 2; taken += 1) throttle.acquire(permitRequest()).end('answered');
    const queued = Array.from({ length: 1_000 }, () => throttle.acquire(permitRequest()));
    timers = 0;
    for (const permit of queued) permit.end('neverSent');
    expect(timers).toBe(0);
  });

  test('after its permit was granted keeps the permit', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2);
    const call = harness.call('one');
    await harness.time.advance(1_000);
    call.leave();
    expect(harness.throttle.snapshot(key).token).toMatchObject({ used: 1, waiting: 0 });
    call.permit?.end('neverSent');
    expect(harness.throttle.snapshot(key).token?.used).toBe(0);
  });
});

describe('one timer for all', () => {
  test('serves a thousand queued calls', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2);
    for (let index = 0; index < 1_000; index += 1) harness.call(String(index));
    expect(harness.time.pending).toBe(1);
    await harness.time.advance(1_000);
    // Both requests are in flight now, so time alone makes no room.
    expect(harness.time.pending).toBe(0);
  });

  test('that fires early checks the clock and is set again', async () => {
    const harness = new ThrottleHarness({ limits });
    const timers: (() => void)[] = [];
    let now = 0;
    const throttle = createThrottle(
      { limits },
      {
        now: () => now,
        setTimer: (_, fire) => {
          timers.push(fire);
          return () => undefined;
        },
      },
    );
    for (let index = 0; index < 2; index += 1) {
      const permit = acquirePermit(throttle);
      if (!(permit instanceof Promise)) permit.end('answered');
    }
    const granted = vi.fn();
    void Promise.resolve(acquirePermit(throttle)).then(granted);
    now = 999;
    timers.shift()?.();
    await harness.time.advance(0);
    expect(granted).not.toHaveBeenCalled();
    now = 1_007;
    timers.shift()?.();
    await harness.time.advance(0);
    expect(granted).toHaveBeenCalledOnce();
  });
});
