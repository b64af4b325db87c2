import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ThrottleWait } from '../../../src/core/limits.ts';
import type { Permit, ThrottleKey } from '../../../src/throttle/permit.ts';
import { until, settled, SharingProcess, sleep, tokenOnly } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

const key = { token: 'a' };

describeWithRedis('limits shared through Redis', () => {
  let server: RedisServer;
  let open: SharingProcess[] = [];

  beforeAll(async () => {
    server = await RedisServer.create();
  });
  afterEach(async () => {
    await Promise.all(open.map((each) => each.close()));
    open = [];
    const redis = server.client();
    await redis.flushall();
    redis.disconnect();
  });
  afterAll(() => server.stop());

  function begin(options?: ConstructorParameters<typeof SharingProcess>[1]): SharingProcess {
    const made = new SharingProcess(server, options);
    open.push(made);
    return made;
  }

  test('two processes have one limit', async () => {
    const [one, two] = [begin(), begin()];
    const asked = [...one.askMany(4), ...two.askMany(4)];
    const permits: Permit[] = [];
    for (const ask of asked) void ask.then((permit) => permits.push(permit));
    await until(() => permits.length === 4, 'four permits');
    await sleep(150);
    expect(permits.length).toBe(4);
    for (const permit of permits.splice(0)) permit.end('neverSent');
    await until(() => permits.length === 4, 'the other four');
  });

  test('a first process has the whole limit at once, and onWait is not called', async () => {
    const one = begin();
    const waits: ThrottleWait[] = [];
    const permits = await Promise.all(one.askMany(4, { onWait: (wait) => waits.push(wait) }));
    expect([waits, one.statuses, one.throttle.isDegraded]).toEqual([[], [], false]);
    for (const permit of permits) permit.end('neverSent');
  });

  test('a permit is returned one window after its response, in the other process as well', async () => {
    const [one, two] = [begin(), begin()];
    const permits = await Promise.all(one.askMany(4));
    const waiting = two.ask();
    const got = settled([waiting]);
    await sleep(400);
    // Longer than a window, but no response has arrived.
    expect(got.count).toBe(0);
    const answeredAt = performance.now();
    for (const permit of permits) permit.end('answered');
    (await waiting).end('neverSent');
    expect(performance.now() - answeredAt).toBeGreaterThanOrEqual(299);
  });

  test('a permit that was never used is returned at once', async () => {
    const [one, two] = [begin(), begin()];
    const [permit] = await Promise.all(one.askMany(4));
    const waiting = two.ask();
    await sleep(50);
    permit?.end('neverSent');
    (await waiting).end('neverSent');
  });

  test('after a timeout or a broken connection a permit is returned later, as in a single process', async () => {
    const limits = { ...tokenOnly, token: { requests: 2, perMs: 100 } };
    const [one, two] = [begin({ limits }), begin({ limits })];
    const [timedOut, abandoned] = await Promise.all(one.askMany(2, { timeoutMs: 300 }));
    const begun = performance.now();
    timedOut?.end('timedOut');
    abandoned?.end('abandoned');
    const times = await Promise.all(
      two.askMany(2).map(async (ask) => {
        await ask;
        return performance.now() - begun;
      }),
    );
    for (const ms of times) expect(ms).toBeGreaterThanOrEqual(390);
  });

  test('high priority goes first, a call that left the queue gets no permit, and unused permits are returned', async () => {
    const [one, two] = [begin(), begin()];
    const permits = await Promise.all(two.askMany(4));
    const order: string[] = [];
    const note = (name: string) => (permit: Permit) => {
      order.push(name);
      permit.end('neverSent');
    };
    const low = one.ask({ priority: 'low' });
    const leaving = one.ask();
    const high = one.ask({ priority: 'high' });
    void leaving.then(note('left'));
    const done = Promise.all([low.then(note('low')), high.then(note('high'))]);
    await sleep(50);
    leaving.leave();
    for (const permit of permits) permit.end('neverSent');
    await done;
    expect(order).toEqual(['high', 'low']);
    // Everything is free again: the other process gets all four.
    for (const permit of await Promise.all(two.askMany(4))) permit.end('neverSent');
  });

  test('a call gets both permits or none: one that waits for a pool does not delay calls that do not need it', async () => {
    const limits = {
      ...tokenOnly,
      token: { requests: 2, perMs: 200 },
      stats: { requests: 1, perMs: 1_500 },
    };
    const [one, two] = [begin({ limits }), begin({ limits })];
    const first = await one.ask({ key: { token: 'a', accountId: 7 }, pool: 'stats' });
    const stats = two.ask({ key: { token: 'a', accountId: 7 }, pool: 'stats' });
    const got = settled([stats]);
    // The stats permit is in use; requests that do not need it go on with the other token permit.
    for (let sent = 0; sent < 5; sent += 1) (await two.ask()).end('answered');
    expect(got.count).toBe(0);
    expect(two.throttle.snapshot({ token: 'a', accountId: 7 }).stats).toMatchObject({ waiting: 1 });
    // Another token of the same account waits for the same stats permit.
    const other = two.ask({ key: { token: 'b', accountId: 7 }, pool: 'stats' });
    const gotOther = settled([other]);
    await sleep(50);
    expect(gotOther.count).toBe(0);
    stats.leave();
    first.end('answered');
    (await other).end('neverSent');
  });

  test('calls in two pools use the whole limit of the smaller one, and hold no token permit while they wait', async () => {
    const limits = {
      ...tokenOnly,
      token: { requests: 6, perMs: 300 },
      contacts: { requests: 3, perMs: 300 },
    };
    const [one, two] = [begin({ limits }), begin({ limits })];
    const pool = 'contacts';
    const begun = performance.now();
    const calls = [one, two].flatMap((each) => each.askMany(9, { key: { token: 'a', accountId: 7 }, pool }));
    const both = Promise.all(calls.map(async (call) => (await call).end('answered')));
    const plain = Promise.all(one.askMany(12).map(async (call) => (await call).end('answered')));
    await Promise.all([both, plain]);
    // 18 calls at 3 per window, 30 at 6: five windows at least, and little more.
    expect(performance.now() - begun).toBeGreaterThan(1_400);
    expect(performance.now() - begun).toBeLessThan(4_000);
  });

  test('a refusal stops every process until the reset, also one that starts later', async () => {
    const [one, two] = [begin(), begin()];
    for (const each of [one, two]) (await each.ask()).end('neverSent');
    one.throttle.block(key, 'token', 600);
    const begun = performance.now();
    await sleep(50);
    const third = begin();
    const waits: ThrottleWait[] = [];
    const asked = [one, two, third].map((each) => each.ask({ onWait: (wait) => waits.push(wait) }));
    const times = await Promise.all(
      asked.map(async (ask) => {
        (await ask).end('answered');
        return performance.now() - begun;
      }),
    );
    for (const ms of times) expect(ms).toBeGreaterThanOrEqual(595);
    expect(waits.length).toBeGreaterThan(0);
  });

  test('the later reset of two refusals counts', async () => {
    const [one, two] = [begin(), begin()];
    for (const each of [one, two]) (await each.ask()).end('neverSent');
    const begun = performance.now();
    one.throttle.block(key, 'token', 500);
    two.throttle.block(key, 'token', 200);
    await sleep(20);
    (await two.ask()).end('neverSent');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(495);
    expect(one.throttle.snapshot(key).token?.blockedUntil).toBeUndefined();
  });

  test('permits in use in another process are in the snapshot, and onWait is called', async () => {
    // Longer than the test takes on a busy machine.
    const perMs = 60_000;
    const limits = { ...tokenOnly, token: { requests: 4, perMs } };
    const [one, two] = [begin({ limits }), begin({ limits })];
    (await two.ask()).end('neverSent');
    const permits = await Promise.all(one.askMany(4));
    expect(one.used()).toBe(4);
    await until(() => two.used() === 4, 'to see four permits in use');
    const waits: ThrottleWait[] = [];
    const ask = two.ask({ onWait: (wait) => waits.push(wait) });
    expect(waits).toEqual([expect.objectContaining({ pool: 'token', waiting: 1 })]);
    expect(waits[0]?.expectedWaitMs).toBeGreaterThan(25);
    expect(waits[0]).not.toHaveProperty('degraded');
    expect(two.throttle.snapshot(key).token).toEqual({ requests: 4, perMs, used: 4, waiting: 1 });
    expect(one.throttle.estimate(4, 'token', key)).toBeGreaterThan(perMs / 4);
    expect(one.throttle.estimate(4, 'token', key)).toBeLessThanOrEqual(perMs);
    expect(one.throttle.estimate(8, 'token', key)).toBeGreaterThan(perMs);
    for (const permit of permits) permit.end('neverSent');
    (await ask).end('neverSent');
  });

  test('onWait is not called for the round trip to Redis, but when another process has the permits', async () => {
    const [one, two] = [begin(), begin()];
    (await one.ask()).end('neverSent');
    const waits: ThrottleWait[] = [];
    (await one.ask({ onWait: (wait) => waits.push(wait) })).end('neverSent');
    await sleep(150);
    expect(waits).toEqual([]);
    await until(() => one.used() === 0, 'no permit to be in use');
    const permits = await Promise.all(two.askMany(4));
    const ask = one.ask({ onWait: (wait) => waits.push(wait) });
    await until(() => waits.length === 1, 'onWait to be called');
    for (const permit of permits) permit.end('neverSent');
    (await ask).end('neverSent');
  });

  test('all token functions count as one token, the one with tokenName', async () => {
    const one = begin({ tokenName: 'main' });
    const keys = [1, 2, 3].map(() => ({ token: () => 'a' }));
    const [first, second, third] = keys as [ThrottleKey, ThrottleKey, ThrottleKey];
    const permits = await Promise.all(one.askMany(4, { key: first }));
    const redis = server.client();
    expect(await redis.keys('*:token:permits')).toHaveLength(1);
    redis.disconnect();
    const waiting = one.ask({ key: second });
    expect(one.throttle.snapshot(third).token).toMatchObject({ used: 4, waiting: 1 });
    expect(one.throttle.estimate(1, 'token', third)).toBeGreaterThan(0);
    one.throttle.block(second, 'token', 400);
    expect(one.throttle.snapshot(third).token?.blockedUntil).toBeInstanceOf(Date);
    const begun = performance.now();
    for (const permit of permits) permit.end('neverSent');
    (await waiting).end('neverSent');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(390);
  });
});
