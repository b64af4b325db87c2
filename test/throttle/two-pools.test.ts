import { describe, expect, test } from 'vitest';
import { ThrottleHarness } from '../support/throttle-harness.ts';

const key = { token: 'a' };
const limits = { token: { requests: 4, perMs: 1_000 }, emailLogsList: { requests: 1, perMs: 10_000 } };
const logs = { pool: 'emailLogsList' } as const;

describe('several pools', () => {
  test('a call that waits for the email logs does not hold up one that needs the token only', () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(1, logs);
    expect(harness.call('logs', { ...logs, priority: 'high' }).isImmediate).toBe(false);
    expect(harness.call('campaign', { priority: 'low' }).isImmediate).toBe(true);
    expect(harness.call('stats', { pool: 'stats' }).isImmediate).toBe(true);
  });

  test('a queued call for the email logs does not hold up a queued one that needs the token only', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(1, logs);
    harness.use(3);
    harness.call('logs', { ...logs, priority: 'high' });
    harness.call('campaign');
    await harness.time.advance(1_000);
    expect(harness.sent).toEqual(['campaign']);
    await harness.time.advance(9_000);
    expect(harness.sent).toEqual(['campaign', 'logs']);
  });

  test('calls that need different pools go in the order in which they were made', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(4);
    harness.call('logs', logs);
    harness.call('campaign');
    harness.call('stats', { pool: 'stats' });
    harness.call('another campaign');
    await harness.time.advance(1_000);
    expect(harness.sent).toEqual(['logs', 'campaign', 'stats', 'another campaign']);
  });

  test('permits are taken in both pools or in neither', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(4);
    const call = harness.call('logs', logs);
    expect(harness.throttle.snapshot(key)).toMatchObject({
      token: { used: 4, waiting: 1 },
      emailLogsList: { used: 0, waiting: 1 },
    });
    await harness.time.advance(1_000);
    expect(harness.throttle.snapshot(key)).toMatchObject({
      token: { used: 1, waiting: 0 },
      emailLogsList: { used: 1, waiting: 0 },
    });
    call.permit?.end('neverSent');
    expect(harness.throttle.snapshot(key)).toMatchObject({
      token: { used: 0 },
      emailLogsList: { used: 0 },
    });
  });

  test('a call that needs both goes when it is its turn, however busy the token is', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(1, logs);
    harness.use(3);
    const call = harness.call('logs', logs);
    // The token never has spare room: four calls wait for each permit.
    for (let round = 0; round < 12; round += 1) {
      const waiting = Array.from({ length: 16 }, (_, index) => harness.call(`${round}.${index}`));
      for (let second = 0; second < 4; second += 1) {
        await harness.time.advance(1_000);
        for (const { permit } of waiting) permit?.end('answered');
      }
    }
    expect(call.sentAt).toBeGreaterThanOrEqual(10_000);
    expect(call.sentAt).toBeLessThanOrEqual(11_000);
  });
});

describe('several keys', () => {
  test('one token never holds up another', () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(4);
    expect(harness.call('a').isImmediate).toBe(false);
    expect(harness.call('b', { key: { token: 'b' } }).isImmediate).toBe(true);
  });

  test('a token function counts as one token', () => {
    const harness = new ThrottleHarness({ limits });
    const one = { token: () => 'x' };
    harness.use(4, { key: one });
    expect(harness.call('same', { key: { ...one } }).isImmediate).toBe(false);
    expect(harness.call('other', { key: { token: () => 'x' } }).isImmediate).toBe(true);
  });

  test('tokens of one account share its pools, and not their own', () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(1, { ...logs, key: { token: 'a', accountId: 7 } });
    expect(harness.call('same', { ...logs, key: { token: 'b', accountId: 7 } }).isImmediate).toBe(false);
    expect(harness.call('other', { ...logs, key: { token: 'a', accountId: 8 } }).isImmediate).toBe(true);
    expect(harness.throttle.snapshot({ token: 'b', accountId: 7 })).toMatchObject({
      token: { used: 0, waiting: 1 },
      emailLogsList: { used: 1, waiting: 1 },
    });
  });

  test('without an account id, account pools are kept per token', () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(1, logs);
    expect(harness.call('same', logs).isImmediate).toBe(false);
    expect(harness.call('other', { ...logs, key: { token: 'b' } }).isImmediate).toBe(true);
  });

  test('a call whose token is busy does not hold up another token of the same account', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(4, { key: { token: 'a', accountId: 7 } });
    harness.call('busy', { ...logs, key: { token: 'a', accountId: 7 } });
    const call = harness.call('free', { ...logs, key: { token: 'b', accountId: 7 } });
    expect(call.isImmediate).toBe(true);
    call.permit?.end('answered');
    await harness.time.advance(10_000);
    expect(harness.sent).toEqual(['free', 'busy']);
  });

  test('a call overtaken by one with another token of the same account goes as soon as the pace allows', async () => {
    const harness = new ThrottleHarness({
      limits: { token: { requests: 1, perMs: 100 }, stats: { requests: 4, perMs: 1_000 } },
      pace: 'even',
    });
    harness.use(1);
    const call = harness.call('overtaken', { pool: 'stats', key: { token: 'a', accountId: 7 } });
    await harness.time.advance(99);
    harness.call('overtakes', { pool: 'stats', key: { token: 'b', accountId: 7 } });
    await harness.time.advance(5_000);
    expect(call.sentAt).toBe(349);
  });
});
