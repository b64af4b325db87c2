import { redisThrottle } from 'email-platform/redis';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { acquirePermit } from '../support/permit-request.ts';
import { dumpRedis, expirationsInRedis, heldInRedis, jobsInRedis } from '../support/redis/contents.ts';
import { settled, SharingProcess, sleep, tokenOnly, until } from '../support/redis/process.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { describeWithRedis } from '../support/redis/with-redis.ts';

describeWithRedis('what a permit is in Redis', { timeout: 30_000 }, () => {
  let server: RedisServer;
  let redis: Redis;
  let open: SharingProcess[] = [];

  beforeAll(async () => {
    server = await RedisServer.create();
  });
  beforeEach(() => {
    redis = server.client();
  });
  afterEach(async () => {
    await Promise.all(open.map((each) => each.close()));
    open = [];
    await redis.flushall();
    redis.disconnect();
  });
  afterAll(() => server.stop());

  function begin(options?: ConstructorParameters<typeof SharingProcess>[1]): SharingProcess {
    const made = new SharingProcess(server, options);
    open.push(made);
    return made;
  }

  test('it outlives the longest of the calls it may serve', async () => {
    const one = begin();
    (await one.ask({ timeoutMs: 10 })).answered({});
    const long = await one.ask({ timeoutMs: 60_000 });
    const latest = Math.max(...(await expirationsInRedis(redis)));
    expect(latest - Date.now()).toBeGreaterThan(119_000);
    long.neverSent();
  });

  test('it is extended as long as its process lives', async () => {
    const limits = { ...tokenOnly, token: { requests: 1, perMs: 100 } };
    const [one, two] = [begin({ limits }), begin({ limits })];
    const permit = await one.ask({ timeoutMs: 10 });
    const [expiresAt = NaN] = await expirationsInRedis(redis);
    const waiting = two.ask({ timeoutMs: 10 });
    const got = settled([waiting]);
    // It would be noticed within a second.
    await until(() => Date.now() > expiresAt + 1_500, 'the time for which it was asked');
    expect(got.count).toBe(0);
    permit.neverSent();
    (await waiting).neverSent();
  });

  test('within an equal part of the limit it serves again and again, without a word to Redis', async () => {
    const one = begin();
    for (const permit of await Promise.all(one.askMany(4))) permit.answered({});
    await until(() => one.used() === 0, 'everything to be back');
    const asked = one.askMany(16);
    for (const ask of asked) void ask.then((permit) => permit.answered({}));
    const first = settled(asked.slice(0, 4));
    await until(() => first.count === 4, 'the first four');
    const jobs = await jobsInRedis(redis);
    expect(Object.keys(jobs)).toHaveLength(4);
    await Promise.all(asked.slice(0, 15));
    expect(await jobsInRedis(redis)).toEqual(jobs);
    await Promise.all(asked);
    await until(async () => Object.keys(await jobsInRedis(redis)).length === 0, 'all of it to be given back');
  });

  test('beyond that it goes to whoever has fewer', async () => {
    const [one, two] = [begin(), begin()];
    const keepAsking = (process: SharingProcess) => {
      const asks = process.askMany(40);
      for (const ask of asks) void ask.then((permit) => permit.answered({}));
      return asks;
    };
    const held = () => heldInRedis(redis);
    const asks = keepAsking(one);
    await until(async () => String(await held()) === '4', 'one process to have everything');
    asks.push(...keepAsking(two));
    await until(async () => String(await held()) === '2,2', 'each to have a half');
    for (let windows = 0; windows < 3; windows += 1) {
      await sleep(310);
      await until(async () => (await held()).length > 0, 'the next round');
      expect(await held()).toEqual([2, 2]);
    }
    for (const ask of asks) ask.leave();
  });

  test('tokens and accounts are apart, and no key tells what they are', async () => {
    const token = 'secret-token-of-mine';
    const one = begin({ key: 'shop:prod', limits: { stats: { requests: 2, perMs: 300 } } });
    for (const permit of await Promise.all(one.askMany(4, { key: { token } }))) permit.answered({});
    (await one.ask({ key: { token: 'another' } })).answered({});
    (await one.ask({ key: { token, accountId: 40_516 }, pool: 'stats' })).answered({});
    const stored = await dumpRedis(redis);
    const pools = stored.filter(({ name }) => name.endsWith('_settings')).map(({ name }) => name);
    expect(pools.map((name) => name.split(':').at(-1)).sort()).toEqual([
      'stats_settings',
      'token_settings',
      'token_settings',
    ]);
    for (const { name, text, msToLive } of stored) {
      expect(name).toMatch(/^(b_)?shop:prod:/);
      expect(name + text).not.toContain(token);
      expect(name).not.toContain('40516');
      expect([name, msToLive > 0]).toEqual([name, true]);
    }
  });

  test('what the client puts before its keys goes before these as well, in its own database', async () => {
    const owner = new Redis(server.url, { keyPrefix: 'app:', db: 3, lazyConnect: true });
    const throttle = redisThrottle({ redis: owner });
    (await acquirePermit(throttle)).answered({});
    const third = new Redis(server.url, { db: 3 });
    const names = await third.keys('*');
    await throttle.close();
    third.disconnect();
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(name).toMatch(/^(b_)?app:email-platform:/);
    expect(await redis.keys('*')).toEqual([]);
    expect(owner.status).toBe('wait');
  });

  test('the last who came says what the limit is', async () => {
    const one = begin();
    for (const permit of await Promise.all(one.askMany(4))) permit.neverSent();
    const two = begin({ limits: { ...tokenOnly, token: { requests: 2, perMs: 300 } } });
    (await two.ask()).neverSent();
    const got = settled(one.askMany(4));
    await sleep(150);
    expect(got.count).toBe(2);
  });
});
