import { afterEach, describe, expect, test, vi } from 'vitest';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import { withOwnTimers } from '../support/own-timers.ts';
import { acquirePermit, permitRequest } from '../support/permit-request.ts';
import { ThrottleHarness } from '../support/throttle-harness.ts';

const key = { token: 'a' };
const limits = { token: { requests: 2, perMs: 1_000 } };

describe('with room', () => {
  test('a call gets its permit in the same tick, without a timer', () => {
    const { throttle, time } = new ThrottleHarness({ limits });
    expect(acquirePermit(throttle)).not.toBeInstanceOf(Promise);
    expect(time.pending).toBe(0);
  });

  test('onWait is not called', () => {
    const onWait = vi.fn();
    new ThrottleHarness({ limits }).throttle.acquire(permitRequest({ onWait }));
    expect(onWait).not.toHaveBeenCalled();
  });

  test('150 of 400 simultaneous calls go in the same tick, and the others in two further windows', async () => {
    const harness = new ThrottleHarness();
    const calls = Array.from({ length: 400 }, (_, index) => harness.call(String(index)));
    expect(calls.filter((call) => call.isImmediate)).toHaveLength(150);
    const answer = () => {
      for (const { permit } of calls) permit?.end('answered');
    };
    answer();
    for (let window = 0; window < 2; window += 1) {
      await harness.time.advance(9_999);
      answer();
      await harness.time.advance(1);
      answer();
    }
    expect(harness.sent).toEqual(calls.map((_, index) => String(index)));
    expect(calls.at(299)?.sentAt).toBe(10_000);
    expect(calls.at(399)?.sentAt).toBe(20_000);
  });
});

describe('when a permit ends', () => {
  test('a second end of the same permit does nothing', () => {
    const harness = new ThrottleHarness({ limits });
    const call = harness.call('one');
    harness.call('two');
    call.permit?.end('neverSent');
    call.permit?.end('neverSent');
    call.permit?.end('answered');
    expect(harness.throttle.snapshot(key).token?.used).toBe(1);
  });

  test('a request that never left makes room at once', async () => {
    const harness = new ThrottleHarness({ limits });
    const one = harness.call('one');
    harness.call('two');
    harness.call('three');
    one.permit?.end('neverSent');
    await harness.time.advance(0);
    expect(harness.sent).toEqual(['one', 'two', 'three']);
  });

  test.each([
    ['answered', 1_400],
    ['abandoned', 6_000],
    ['timedOut', 6_400],
  ] as const)('%s makes room at %i ms', async (ending, at) => {
    const harness = new ThrottleHarness({ limits: { token: { requests: 1, perMs: 1_000 } } });
    const first = harness.call('one', { timeoutMs: 5_000 });
    const second = harness.call('two');
    await harness.time.advance(400);
    first.permit?.end(ending);
    await harness.time.advance(20_000);
    expect(second.sentAt).toBe(at);
  });
});

describe('an even pace', () => {
  test('sends the first at once and each further one its share of the window later', async () => {
    const harness = new ThrottleHarness({ limits: { token: { requests: 4, perMs: 1_000 } }, pace: 'even' });
    const calls = ['a', 'b', 'c', 'd'].map((name) => harness.call(name));
    await harness.time.advance(1_000);
    expect(calls.map((call) => call.sentAt)).toEqual([0, 250, 500, 750]);
  });

  test('keeps within the limit', async () => {
    const harness = new ThrottleHarness({ limits: { token: { requests: 2, perMs: 1_000 } }, pace: 'even' });
    const calls = ['a', 'b', 'c'].map((name) => harness.call(name));
    await harness.time.advance(600);
    calls[0]?.permit?.end('answered');
    await harness.time.advance(2_000);
    expect(calls[2]?.sentAt).toBe(1_600);
  });
});

describe('switched off', () => {
  test('a pool limits nothing', () => {
    const harness = new ThrottleHarness({ limits: { token: false, emailLogsList: false } });
    for (let index = 0; index < 1_000; index += 1) {
      expect(harness.call('any', { pool: 'emailLogsList' }).isImmediate).toBe(true);
    }
    expect(harness.throttle.estimate(1_000_000, 'token', key)).toBe(0);
    harness.throttle.block(key, 'token', 1_000);
    expect(harness.call('any').isImmediate).toBe(true);
  });

  test('the token pool leaves the account pools in force', async () => {
    const harness = new ThrottleHarness({ limits: { token: false, stats: { requests: 1, perMs: 1_000 } } });
    harness.use(1, { pool: 'stats' });
    harness.call('two', { pool: 'stats' });
    expect(harness.call('free').isImmediate).toBe(true);
    await harness.time.advance(1_000);
    expect(harness.sent).toEqual(['free', 'two']);
  });
});

describe('without injected time', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test('a throttle uses the process’s own clock and timers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    await withOwnTimers(async (pending) => {
      const throttle = createThrottle({ limits: { token: { requests: 1, perMs: 1_000 } } });
      const first = acquirePermit(throttle);
      if (!(first instanceof Promise)) first.end('answered');
      const granted = vi.fn();
      void Promise.resolve(acquirePermit(throttle)).then(granted);
      await vi.advanceTimersByTimeAsync(999);
      expect(granted).not.toHaveBeenCalled();
      expect(pending()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(granted).toHaveBeenCalledOnce();
      expect(pending()).toBe(0);
    });
  });

  test('its timers are rounded up, because one that fires too early has to be set again', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    const throttle = createThrottle({ limits: { token: { requests: 3, perMs: 1_000 } }, pace: 'even' });
    for (let index = 0; index < 2; index += 1) void acquirePermit(throttle);
    expect(setTimer).toHaveBeenCalledExactlyOnceWith(expect.any(Function), 334);
  });
});
