import { describe, expect, test } from 'vitest';
import type { Emulator } from 'email-platform/testing';
import { campaigns, start, still, wire } from '../../tools/wire.ts';

async function spend(emulator: Emulator, count: number): Promise<Record<number, number>> {
  const call = wire(emulator);
  const statuses: Record<number, number> = {};
  for (let index = 0; index < count; index += 1) {
    const { status } = await call('GET', `${campaigns}/0`);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

describe('Limits: 150 requests in 10 seconds per token', () => {
  test('the 151st → 429, with the reset as ISO 8601 on that response alone', async () => {
    const emulator = still();
    expect(await spend(emulator, 150)).toEqual({ 404: 150 });
    const refused = await wire(emulator)('GET', campaigns);
    expect([refused.status, refused.text]).toEqual([429, '{"error":"Throttled"}']);
    expect(refused.headers.get('x-ratelimit-reset')).toBe(new Date(start + 10_000).toISOString());
    expect(refused.headers.get('x-ratelimit-limit')).toBe('150');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  });

  test('a refused request is not counted; the next window is complete', async () => {
    const emulator = still();
    expect(await spend(emulator, 200)).toEqual({ 404: 150, 429: 50 });
    emulator.clock.advance(10_000);
    expect(await spend(emulator, 151)).toEqual({ 404: 150, 429: 1 });
  });

  test('an invalid token has a pool of its own', async () => {
    const emulator = still();
    await spend(emulator, 150);
    const call = wire(emulator);
    expect((await call('GET', campaigns, { token: 'nope' })).status).toBe(401);
    expect((await call('GET', campaigns, { token: emulator.createToken() })).status).toBe(200);
  });

  test('an invalid token is refused with 429 as well once its pool is exhausted', async () => {
    const emulator = still({ limits: { token: { requests: 1, perMs: 1000 } } });
    const call = wire(emulator);
    expect((await call('GET', campaigns, { token: 'nope' })).status).toBe(401);
    expect((await call('GET', campaigns, { token: 'nope' })).status).toBe(429);
  });

  test.each(['specified', 'recorded'] as const)(
    'sending hosts use the same pool, and show it only when they refuse, as %s',
    async (answers) => {
      const emulator = still({ limits: { token: { requests: 2, perMs: 10_000 } }, answers });
      const call = wire(emulator);
      const first = await call('POST', '/api/nothing', { host: 'bulk', body: {} });
      expect(first.headers.get('x-ratelimit-limit')).toBeNull();
      await call('GET', campaigns);
      const refused = await call('POST', '/api/send', { host: 'send', body: {} });
      expect([refused.status, refused.json]).toEqual([
        429,
        { success: false, error: 'Throttled', errors: ['Throttled'] },
      ]);
      expect(refused.headers.get('x-ratelimit-reset')).toBe(new Date(start + 10_000).toISOString());
    },
  );

  test('with countSending: false sending hosts do not use the pool of the token', async () => {
    const emulator = still({ limits: { token: { requests: 1, perMs: 10_000 } }, countSending: false });
    const call = wire(emulator);
    for (let index = 0; index < 3; index += 1) {
      expect((await call('POST', '/api/nothing', { host: 'send', body: {} })).status).toBe(501);
    }
    expect((await call('GET', campaigns)).status).toBe(200);
  });

  test.each([false, { token: false }] as const)(
    'limits: %j switches the limit off, headers included',
    async (limits) => {
      const emulator = still({ limits });
      expect(await spend(emulator, 200)).toEqual({ 404: 200 });
      expect((await wire(emulator)('GET', campaigns)).headers.get('x-ratelimit-limit')).toBeNull();
    },
  );
});

describe('The kinds of window', () => {
  const limits = { token: { requests: 2, perMs: 10_000 } };
  const reset = (at: number) => new Date(start + at).toISOString();
  async function refusal(emulator: Emulator) {
    const { status, headers } = await wire(emulator)('GET', campaigns);
    return [status, headers.get('x-ratelimit-reset')];
  }

  test('aligned (default): it ends at a multiple of its length on the clock, so twice the limit fits around a boundary', async () => {
    const emulator = still({ limits });
    emulator.clock.advance(9999);
    expect(await spend(emulator, 2)).toEqual({ 404: 2 });
    expect(await refusal(emulator)).toEqual([429, reset(10_000)]);
    emulator.clock.advance(1);
    expect(await spend(emulator, 2)).toEqual({ 404: 2 });
  });

  test('fixed: it begins with its first request', async () => {
    const emulator = still({ limits, window: 'fixed' });
    emulator.clock.advance(9000);
    await spend(emulator, 2);
    emulator.clock.advance(9999);
    expect(await refusal(emulator)).toEqual([429, reset(19_000)]);
    emulator.clock.advance(1);
    expect(await spend(emulator, 2)).toEqual({ 404: 2 });
  });

  test('sliding: room is freed one request at a time', async () => {
    const emulator = still({ limits, window: 'sliding' });
    await spend(emulator, 1);
    emulator.clock.advance(6000);
    await spend(emulator, 1);
    expect(await refusal(emulator)).toEqual([429, reset(10_000)]);
    emulator.clock.advance(4000);
    expect(await spend(emulator, 2)).toEqual({ 404: 1, 429: 1 });
    expect(await refusal(emulator)).toEqual([429, reset(16_000)]);
  });
});
