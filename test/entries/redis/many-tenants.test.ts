import { afterEach, beforeEach, expect, test } from 'vitest';
import { settled, SharingProcess, sleep, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

/** Number of pools that one heartbeat may read. */
const PORTION = 50;
const limits = { ...tokenOnly, token: { requests: 8, perMs: 400 } };

describeWithRedis('a throttle of many tenants', () => {
  let server: RedisServer;
  let open: SharingProcess[] = [];

  beforeEach(async () => {
    server = await RedisServer.create();
  });
  afterEach(async () => {
    await Promise.all(open.map((each) => each.close()));
    open = [];
    await server.stop();
  });

  function begin(): SharingProcess {
    const made = new SharingProcess(server, { limits });
    open.push(made);
    return made;
  }

  /** Each tenant sends one request. */
  async function use(one: SharingProcess, tenants: number): Promise<void> {
    const tokens = Array.from({ length: tenants }, (_, tenant) => `tenant ${tenant}`);
    const asked = tokens.map((token) => one.ask({ key: { token } }));
    for (const permit of await Promise.all(asked)) permit.end('neverSent');
  }

  /** Resolves to the pools that each of the next heartbeats with several pools reads. */
  async function nextBeats(count: number): Promise<string[][]> {
    const admin = server.client();
    const monitor = await admin.monitor();
    const beats: string[][] = [];
    monitor.on('monitor', (_time: string, [command, , keys, ...rest]: string[], source: string) => {
      if (command?.toLowerCase() !== 'evalsha' || source === 'lua') return;
      const pools = rest.slice(2, Number(keys)).filter((key) => key.endsWith(':permits'));
      if (pools.length > 1) beats.push(pools);
    });
    await until(() => beats.length >= count, `${count} heartbeats`);
    monitor.disconnect();
    admin.disconnect();
    return beats;
  }

  test('reads the idle ones in turn, a few with each heartbeat', async () => {
    const one = begin();
    await use(one, 3 * PORTION);
    const beats = await nextBeats(6);
    expect(beats.map((pools) => pools.length)).toEqual(beats.map(() => PORTION));
    expect(new Set(beats.slice(0, 3).flat()).size).toBe(3 * PORTION);
  });

  test('when Redis is lost: a process takes no permit of a pool that it has not read lately', async () => {
    const [one, two] = [begin(), begin()];
    (await two.ask()).end('neverSent');
    // It takes 20 seconds to read so many in turn.
    await use(two, 20 * PORTION);
    await Promise.all(one.askMany(6));
    await until(() => two.used() === 6, 'the other process to see six permits in use');
    await Promise.all(one.askMany(2));
    // They read other pools, a second apart. A report is out of date after two; the fourth shows that three were read.
    await nextBeats(4);
    await server.stop();
    await until(() => one.throttle.isDegraded && two.throttle.isDegraded, 'both to work without Redis');
    const got = settled(two.askMany(8));
    await sleep(200);
    expect(got.count).toBe(0);
    await until(() => got.count === 4, 'its share, when those permits would have been returned');
  });
});
