import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { dumpRedis } from '../../support/redis/contents.ts';
import { settled, SharingProcess, sleep, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

const limits = { ...tokenOnly, token: { requests: 4, perMs: 300 } };
const HOUR = 3_600_000;

describeWithRedis('foreign data under the names of the throttle', () => {
  let server: RedisServer;
  let redis: Redis;
  let one: SharingProcess;

  beforeAll(async () => {
    server = await RedisServer.create();
  });
  beforeEach(() => {
    redis = server.client();
    one = new SharingProcess(server, { limits });
  });
  afterEach(async () => {
    await one.close();
    await redis.flushall();
    redis.disconnect();
  });
  afterAll(() => server.stop());

  /** Which keys there are is seen, not assumed: those that a call which waits has used. */
  async function names() {
    const asks = one.askMany(6);
    const got = settled(asks);
    await until(() => got.count === 4, 'four to go');
    const found = (await dumpRedis(redis)).map(({ name }) => name);
    await Promise.all(asks.map(async (ask, index) => (index < 4 ? (await ask).end('neverSent') : undefined)));
    await until(() => got.count === 6, 'the others to go');
    await Promise.all(asks.map(async (ask) => (await ask).end('neverSent')));
    expect(found.map((name) => /[a-z]+$/.exec(name)?.[0]).sort()).toEqual([
      'clock',
      'permits',
      'processes',
      'waiting',
    ]);
    const permits = found.find((name) => name.endsWith(':permits')) ?? '';
    return [...found, permits.replace(/permits$/, 'blocked')];
  }

  /** Every permit of the limit can be had. */
  async function everyPermit() {
    const asks = one.askMany(4);
    const got = settled(asks);
    await until(() => got.count === 4, 'every permit to be there');
    for (const ask of asks) (await ask).end('neverSent');
  }

  const kinds: [string, (name: string) => Promise<unknown>][] = [
    ['a text', (name) => redis.set(name, 'nan')],
    ['a list', (name) => redis.rpush(name, 'a')],
    ['a hash', (name) => redis.hset(name, 'a', 'b')],
    ['a set', (name) => redis.sadd(name, 'a')],
    ['a stream', (name) => redis.xadd(name, '*', 'a', 'b')],
  ];
  test.each(kinds)('%s in the place of every key is replaced', async (_, write) => {
    for (const name of await names()) {
      await redis.del(name);
      await write(name);
      await everyPermit();
      await sleep(350);
    }
    // A list of processes that is gone is data that was lost; all share again soon.
    await until(() => !one.throttle.isDegraded, 'the process to share again');
  });

  test('times that no permit and no process can have do not block a call', async () => {
    const [permits = '', waiting = ''] = (await names())
      .filter((name) => /permits|waiting/.test(name))
      .sort();
    for (const score of ['+inf', '-inf', '1e308', '-1e308', String(Date.now() + 2 * HOUR), '0']) {
      for (const key of [permits, waiting]) {
        for (let count = 0; count < 50; count += 1) await redis.zadd(key, score, `foreign ${count}`);
      }
      await everyPermit();
      await sleep(350);
    }
  });

  test('a block is an hour at most', async () => {
    await names();
    one.throttle.block({ token: 'a' }, 'token', 48 * HOUR);
    const two = new SharingProcess(server, { limits });
    const asked = two.ask();
    const blockedUntil = () => two.throttle.snapshot({ token: 'a' }).token?.blockedUntil?.getTime() ?? 0;
    await until(() => blockedUntil() > 0, 'another process to know');
    expect(blockedUntil()).toBeGreaterThan(Date.now() + HOUR - 10_000);
    expect(blockedUntil()).toBeLessThanOrEqual(Date.now() + HOUR + 1_000);
    asked.leave();
    await two.close();
  });

  test.each(['nan', '', '1', '-1', 'inf', '1e308', String(Date.now() + 2 * HOUR)])(
    'a block whose end is "%s" does not count, even in a key that lives for ever',
    async (end) => {
      const key = (await names()).at(-1) ?? '';
      await redis.set(key, end);
      await everyPermit();
    },
  );

  test.each(['nan', '', '0', '-1', 'inf', '1e308'])(
    'a shared time that is "%s" begins anew',
    async (time) => {
      const clock = (await names()).find((name) => name.endsWith(':clock')) ?? '';
      await redis.hset(clock, 'time', time);
      await until(async () => (await redis.hget(clock, 'time')) !== time, 'a new time');
      await everyPermit();
      await until(() => !one.throttle.isDegraded, 'the process to share again');
    },
  );

  const connections = async () =>
    Number(/total_connections_received:(\d+)/.exec(await redis.info('stats'))?.[1]);

  test('a Redis that refuses what is asked of it: calls go on under the local share', async () => {
    await redis.call('ACL', 'SETUSER', 'default', '-zrange');
    const before = await connections();
    const got = settled(one.askMany(3).map(async (ask) => (await ask).end('answered')));
    await until(() => got.count === 3, 'the calls to go', 15_000);
    const after = await connections();
    await redis.call('ACL', 'SETUSER', 'default', '+zrange');
    // It is asked again now and then, not as fast as it can.
    expect(after - before).toBeLessThan(30);
  });
});
