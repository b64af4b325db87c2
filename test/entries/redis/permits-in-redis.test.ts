import { redisThrottle } from 'email-platform/redis';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { acquirePermit } from '../../support/permit-request.ts';
import { dumpRedis, heldInRedis, permitsInRedis } from '../../support/redis/contents.ts';
import { settled, SharingProcess, sleep, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

describeWithRedis('a permit in Redis', () => {
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

  const dueInMs = async () => [...(await permitsInRedis(redis)).values()];

  test('expires only after the call it is for must have ended, so that its process may be killed', async () => {
    const one = begin();
    const permit = await one.ask({ timeoutMs: 60_000 });
    const [ms = NaN] = await dueInMs();
    // Its timeout, one window of 300 ms and 2.5 s more.
    expect(ms).toBeGreaterThan(60_300);
    expect(ms).toBeLessThanOrEqual(62_800);
    permit.end('neverSent');
  });

  test('expires earlier for a short call than for a long call before it', async () => {
    const one = begin();
    (await one.ask({ timeoutMs: 60_000 })).end('neverSent');
    const permit = await one.ask({ timeoutMs: 100 });
    await until(async () => (await dueInMs()).length === 1, 'one permit to be in use');
    expect(Math.max(...(await dueInMs()))).toBeLessThanOrEqual(2_900);
    permit.end('neverSent');
  });

  test('is returned one window after the response', async () => {
    const one = begin();
    (await one.ask({ timeoutMs: 60_000 })).end('answered');
    await until(async () => Math.max(...(await dueInMs())) <= 300, 'Redis to know');
    await until(async () => (await dueInMs()).length === 0, 'it to be returned');
  });

  test('belongs to each process in equal numbers while all have queued calls', async () => {
    const [one, two] = [begin(), begin()];
    const keepAsking = (process: SharingProcess) => {
      const asks = process.askMany(40);
      for (const ask of asks) void ask.then((permit) => permit.end('answered'));
      return asks;
    };
    const held = () => heldInRedis(redis);
    const asks = keepAsking(one);
    await until(async () => String(await held()) === '4', 'one process to have everything');
    asks.push(...keepAsking(two));
    await until(async () => String(await held()) === '2,2', 'each to have a half');
    for (let windows = 0; windows < 3; windows += 1) {
      await sleep(310);
      await until(async () => (await held()).length === 2, 'the next round');
      await until(async () => String(await held()) === '2,2', 'each to have a half again');
    }
    for (const ask of asks) ask.leave();
  });

  test('is under a key for each token and account, which does not contain either', async () => {
    const token = 'secret-token-of-mine';
    const one = begin({ prefix: 'shop:prod', limits: { stats: { requests: 2, perMs: 300 } } });
    for (const permit of await Promise.all(one.askMany(4, { key: { token } }))) permit.end('answered');
    (await one.ask({ key: { token: 'another' } })).end('answered');
    (await one.ask({ key: { token, accountId: 40_516 }, pool: 'stats' })).end('answered');
    const stored = await dumpRedis(redis);
    const pools = stored.filter(({ name }) => name.endsWith(':permits')).map(({ name }) => name);
    expect(pools.map((name) => name.split(':').at(-2)).sort()).toEqual(['stats', 'token', 'token']);
    for (const { name, text, msToLive } of stored) {
      expect(name).toMatch(/^shop:prod:/);
      expect(name + text).not.toContain(token);
      expect(name).not.toContain('40516');
      expect([name, msToLive > 0]).toEqual([name, true]);
    }
  });

  test('is under a key with the client’s own keyPrefix, in the client’s database', async () => {
    const owner = new Redis(server.url, { keyPrefix: 'app:', db: 3, lazyConnect: true });
    const throttle = redisThrottle({ redis: owner });
    (await acquirePermit(throttle)).end('answered');
    const third = new Redis(server.url, { db: 3 });
    const names = await third.keys('*');
    await throttle.close();
    third.disconnect();
    expect(names).toHaveLength(3);
    for (const name of names) expect(name).toMatch(/^app:email-platform:/);
    expect(await redis.keys('*')).toEqual([]);
    expect(owner.status).toBe('wait');
  });

  test('is granted to each process within the process’s own limit', async () => {
    const [one, two] = [begin(), begin({ limits: { ...tokenOnly, token: { requests: 2, perMs: 300 } } })];
    const got = settled(two.askMany(4));
    await until(() => got.count === 2, 'its two');
    await Promise.all(one.askMany(2));
    await sleep(100);
    expect(got.count).toBe(2);
  });
});
