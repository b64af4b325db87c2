import { describe, expect, test } from 'vitest';
import { ThrottleHarness, type TestCall } from '../support/throttle-harness.ts';

const key = { token: 'a' };
const limits = { token: { requests: 10, perMs: 1_000 }, stats: { requests: 2, perMs: 1_000 } };

function calls(harness: ThrottleHarness, count: number): TestCall[] {
  return Array.from({ length: count }, (_, index) => harness.call(String(index)));
}

/** How many calls could be sent at once now. The permits taken to find out are returned. */
function room(harness: ThrottleHarness): number {
  const tried = calls(harness, 20);
  const went = tried.filter((call) => call.isImmediate);
  for (const call of tried) call.leave();
  for (const call of went) call.permit?.end('neverSent');
  return went.length;
}

describe('x-ratelimit-remaining', () => {
  test('that our own requests account for sets nothing aside', () => {
    const harness = new ThrottleHarness({ limits });
    const [one, two] = calls(harness, 2);
    one?.permit?.end('answered', { limit: 10, remaining: 8 });
    two?.permit?.end('answered', { limit: 10, remaining: 9 });
    expect(room(harness)).toBe(8);
  });

  test('of a limit that is lower than ours is measured by that limit', () => {
    const harness = new ThrottleHarness({ limits });
    calls(harness, 1)[0]?.permit?.end('answered', { limit: 6, remaining: 5 });
    expect(room(harness)).toBe(9);
  });

  test('that is lower sets the difference aside for one window', async () => {
    const harness = new ThrottleHarness({ limits });
    const [one, two] = calls(harness, 2);
    await harness.time.advance(100);
    one?.permit?.end('answered', { limit: 10, remaining: 5 });
    two?.permit?.end('answered', { limit: 10, remaining: 8 });
    expect(room(harness)).toBe(5);
    await harness.time.advance(999);
    expect(room(harness)).toBe(5);
    await harness.time.advance(1);
    expect(room(harness)).toBe(10);
  });

  test('may include any request whose permit was in use during the attempt', async () => {
    const harness = new ThrottleHarness({ limits });
    const early = harness.call('early');
    early.permit?.end('answered');
    await harness.time.advance(900);
    const asking = harness.call('asking');
    const late = harness.call('late');
    late.permit?.end('neverSent');
    harness.call('later').permit?.end('answered');
    await harness.time.advance(900);
    asking.permit?.end('answered', { limit: 10, remaining: 6 });
    // Four were counted: they may be early, asking, late and later.
    expect(room(harness)).toBe(8);
  });

  test('counts with the largest difference of several responses, each for its own window', async () => {
    const harness = new ThrottleHarness({ limits });
    const [one, two, three] = calls(harness, 3);
    one?.permit?.end('answered', { limit: 10, remaining: 1 });
    await harness.time.advance(500);
    two?.permit?.end('answered', { limit: 10, remaining: 4 });
    three?.permit?.end('answered', { limit: 10, remaining: 5 });
    expect(room(harness)).toBe(1);
    await harness.time.advance(500);
    // The first permit is returned, and what its response showed has expired; what the second showed has not.
    expect(room(harness)).toBe(5);
    await harness.time.advance(500);
    expect(room(harness)).toBe(10);
  });

  test('sets aside permits that queued calls get one window later', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.call('asking').permit?.end('answered', { limit: 10, remaining: 0 });
    const call = harness.call('waiting');
    expect(call.isImmediate).toBe(false);
    await harness.time.advance(1_000);
    expect(call.sentAt).toBe(1_000);
  });

  test('under a limit higher than ours: other clients may use the difference', () => {
    const harness = new ThrottleHarness({ limits });
    harness.call('asking').permit?.end('answered', { limit: 100, remaining: 50 });
    expect(room(harness)).toBe(9);
    harness.call('asking').permit?.end('answered', { limit: 100, remaining: 4 });
    expect(room(harness)).toBe(4);
  });

  test('applies to the token’s pool, not to an account pool', () => {
    const harness = new ThrottleHarness({ limits: { ...limits, token: false } });
    harness.call('stats', { pool: 'stats' }).permit?.end('answered', { limit: 10, remaining: 0 });
    expect(harness.call('stats', { pool: 'stats' }).isImmediate).toBe(true);
  });

  test('is included in estimates', () => {
    const harness = new ThrottleHarness({ limits });
    harness.call('asking').permit?.end('answered', { limit: 10, remaining: 4 });
    expect([4, 5].map((count) => harness.throttle.estimate(count, 'token', key))).toEqual([0, 1_000]);
  });
});

describe('a refusal', () => {
  test('blocks its pool until the reset, and no other pool', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.throttle.block(key, 'stats', 3_000);
    const stats = harness.call('stats', { pool: 'stats' });
    expect(stats.isImmediate).toBe(false);
    expect(harness.call('campaign').isImmediate).toBe(true);
    await harness.time.advance(10_000);
    expect(stats.sentAt).toBe(3_000);
  });

  test('for the token also blocks calls that need an account pool', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.throttle.block(key, 'token', 3_000);
    const stats = harness.call('stats', { pool: 'stats' });
    await harness.time.advance(10_000);
    expect(stats.sentAt).toBe(3_000);
  });

  test('blocks calls that are queued already, whatever they wait for', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.use(2, { pool: 'stats' });
    const stats = harness.call('stats', { pool: 'stats' });
    harness.throttle.block(key, 'token', 3_000);
    await harness.time.advance(10_000);
    expect(stats.sentAt).toBe(3_000);
  });

  test('with an earlier reset than the one before shortens nothing', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.throttle.block(key, 'token', 3_000);
    harness.throttle.block(key, 'token', 1_000);
    const call = harness.call('one');
    await harness.time.advance(1_500);
    harness.throttle.block(key, 'token', 4_000);
    await harness.time.advance(10_000);
    expect(call.sentAt).toBe(5_500);
  });

  test('without a sensible time is ignored', () => {
    const harness = new ThrottleHarness({ limits });
    for (const ms of [0, -5, NaN]) harness.throttle.block(key, 'token', ms);
    expect(harness.call('one').isImmediate).toBe(true);
  });

  test.each([3_600_001, 2 ** 31 + 5, Number.MAX_VALUE, Infinity])(
    'of %d ms is believed for an hour',
    async (ms) => {
      const harness = new ThrottleHarness({ limits });
      harness.throttle.block(key, 'token', ms);
      const call = harness.call('one');
      await harness.time.advance(2 ** 32);
      expect(call.sentAt).toBe(3_600_000);
    },
  );

  test('makes what its own response showed of other clients expire at the reset', async () => {
    const harness = new ThrottleHarness({ limits });
    const asking = harness.call('asking');
    harness.throttle.block(key, 'token', 300);
    asking.permit?.end('answered', { limit: 10, remaining: 0 });
    const call = harness.call('again', { isRetry: true });
    await harness.time.advance(2_000);
    expect(call.sentAt).toBe(300);
  });

  test('makes what earlier responses showed of other clients expire at the reset', async () => {
    const harness = new ThrottleHarness({ limits });
    const [one, two] = calls(harness, 2);
    one?.permit?.end('answered', { limit: 10, remaining: 0 });
    await harness.time.advance(100);
    harness.throttle.block(key, 'token', 300);
    two?.permit?.end('answered');
    const call = harness.call('again', { isRetry: true });
    await harness.time.advance(2_000);
    expect(call.sentAt).toBe(400);
  });

  test('is followed by one request, then by one more for each response', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.throttle.block(key, 'token', 500);
    const waiting = calls(harness, 10);
    const went = () => waiting.filter((call) => call.permit !== undefined);
    const counts: number[] = [];
    await harness.time.advance(500);
    for (let round = 0; round < 4; round += 1) {
      counts.push(went().length);
      for (const { permit } of went()) permit?.end('answered');
      await harness.time.advance(10);
    }
    expect(counts).toEqual([1, 3, 7, 10]);
  });

  test('stops limiting requests in flight when the first response takes too long', async () => {
    const harness = new ThrottleHarness({ limits });
    harness.throttle.block(key, 'token', 500);
    const waiting = calls(harness, 3);
    await harness.time.advance(5_000);
    expect(waiting.map((call) => call.sentAt)).toEqual([500, 1_500, 1_500]);
  });

  test('limits requests in flight for ten seconds at most, however long the window is', async () => {
    const harness = new ThrottleHarness({ limits: { token: { requests: 10, perMs: 60_000 } } });
    harness.throttle.block(key, 'token', 500);
    const waiting = calls(harness, 3);
    await harness.time.advance(30_000);
    expect(waiting.map((call) => call.sentAt)).toEqual([500, 10_500, 10_500]);
  });

  test('goes on limiting requests in flight after responses to requests sent before it', async () => {
    const harness = new ThrottleHarness({ limits });
    const before = calls(harness, 3);
    harness.throttle.block(key, 'token', 500);
    const waiting = calls(harness, 5);
    await harness.time.advance(600);
    for (const { permit } of before) permit?.end('answered');
    await harness.time.advance(0);
    expect(waiting.filter((call) => call.permit !== undefined)).toHaveLength(1);
    waiting[0]?.permit?.end('neverSent');
    await harness.time.advance(0);
    expect(waiting.filter((call) => call.permit !== undefined)).toHaveLength(2);
  });
});
