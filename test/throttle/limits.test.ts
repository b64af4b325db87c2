import { describe, expect, test, vi } from 'vitest';
import type { ThrottleWait } from '../../src/core/limits.ts';
import { ThrottleHarness } from '../support/throttle-harness.ts';

const key = { token: 'a' };
/** Two requests per second, and for email logs one per ten seconds. */
const limits = { token: { requests: 2, perMs: 1_000 }, emailLogsList: { requests: 1, perMs: 10_000 } };

describe('reporting', () => {
  test('onWait is called with the pool and the expected wait', () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2);
    const waits: ThrottleWait[] = [];
    const onWait = (wait: ThrottleWait) => waits.push(wait);
    for (let index = 0; index < 3; index += 1) harness.call(String(index), { onWait });
    harness.call('urgent', { onWait, priority: 'high' });
    expect(waits).toEqual([
      { pool: 'token', waiting: 1, expectedWaitMs: 1_000 },
      { pool: 'token', waiting: 2, expectedWaitMs: 1_000 },
      { pool: 'token', waiting: 3, expectedWaitMs: 2_000 },
      { pool: 'token', waiting: 4, expectedWaitMs: 1_000 },
    ]);
  });

  test('onWait names the pool that the call waits for longest', () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(1, { pool: 'emailLogsList' });
    const onWait = vi.fn();
    harness.call('logs', { pool: 'emailLogsList', onWait });
    expect(onWait).toHaveBeenCalledWith({ pool: 'emailLogsList', waiting: 1, expectedWaitMs: 10_000 });
  });

  test('a snapshot shows every pool that is switched on', async () => {
    const harness = new ThrottleHarness({ limits: { ...limits, stats: false } }, 1_000_000);
    harness.call('logs', { pool: 'emailLogsList' }).permit?.end('answered');
    harness.call('logs', { pool: 'emailLogsList' });
    await harness.time.advance(100);
    harness.throttle.block(key, 'emailLogsList', 30_000);
    const snapshot = harness.throttle.snapshot(key);
    expect(Object.keys(snapshot)).toEqual([
      'token',
      'contacts',
      'suppressions',
      'emailLogsList',
      'emailLogsGet',
      'templatesList',
      'templatesCreate',
      'subAccountsDelete',
      'sandbox',
    ]);
    expect(snapshot.token).toEqual({ requests: 2, perMs: 1_000, used: 1, waiting: 1 });
    expect(snapshot.emailLogsList).toEqual({
      requests: 1,
      perMs: 10_000,
      used: 1,
      waiting: 1,
      blockedUntil: new Date(1_030_100),
    });
    expect(harness.throttle.snapshot({ token: 'other' }).token).toEqual({
      requests: 2,
      perMs: 1_000,
      used: 0,
      waiting: 0,
    });
  });

  test('an estimate includes the rate of every pool', () => {
    const { throttle } = new ThrottleHarness();
    expect([0, 1, 150, 151, 400].map((count) => throttle.estimate(count, 'token', key))).toEqual([
      0, 0, 0, 10_000, 20_000,
    ]);
    // 121 lists: the second minute's 60, and one more. The token pool would have room much earlier.
    expect(throttle.estimate(121, 'emailLogsList', key)).toBe(120_000);
    // 1000 messages fit into a minute of their own pool, but not of the token's.
    expect(throttle.estimate(1_000, 'emailLogsGet', key)).toBe(60_000);
  });

  test('an estimate includes what is used, queued and blocked, and what is queued for another pool', () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(1, { pool: 'emailLogsList' });
    // Ten wait for the logs, and take no permit of the token meanwhile.
    for (let index = 0; index < 10; index += 1) harness.call('logs', { pool: 'emailLogsList' });
    expect(harness.throttle.estimate(1, 'token', key)).toBe(0);
    expect(harness.throttle.estimate(2, 'token', key)).toBe(1_000);
    expect(harness.throttle.estimate(1, 'emailLogsList', key)).toBe(110_000);
    harness.throttle.block(key, 'token', 5_000);
    expect(harness.throttle.estimate(1, 'token', key)).toBe(5_000);
  });

  test('an even pace is part of an estimate', () => {
    const { throttle } = new ThrottleHarness({ pace: 'even' });
    expect(throttle.estimate(16, 'token', key)).toBeCloseTo(1_000);
  });
});
