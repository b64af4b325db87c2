import { afterEach, expect, test } from 'vitest';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { dumpRedis, heldInRedis } from '../../support/redis/contents.ts';
import { sleep, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { Relay, type Way } from '../../support/redis/relay.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';
import { Worker } from '../../support/redis/workers.ts';

/** Longer than a busy machine holds up a process: no call may fail. */
const TIMEOUT_MS = 10_000;
const PUBLISHED = { requests: 150, perMs: 10_000 };
/** Twice the published rate, in short windows. */
const QUICK = { requests: 60, perMs: 2_000 };

/** Four real processes with the client, an emulator with a sliding window, and a Redis. */
class World {
  readonly workers: readonly Worker[];
  readonly redis: RedisServer;
  readonly token: string;
  /** Each is between one process and Redis. */
  readonly relays: readonly Relay[];
  readonly #limit: typeof PUBLISHED;
  readonly #emulator: Emulator;
  readonly #server: Emulator.Server;

  private constructor(
    limit: typeof PUBLISHED,
    emulator: Emulator,
    server: Emulator.Server,
    redis: RedisServer,
    relays: readonly Relay[],
    busyMs: number | undefined,
  ) {
    this.redis = redis;
    this.relays = relays;
    this.#limit = limit;
    this.#emulator = emulator;
    this.#server = server;
    const connection = server.clientOptions();
    this.token = connection.token;
    const limits = { ...tokenOnly, token: limit };
    const order = { connection, timeoutMs: TIMEOUT_MS, atOnce: 20, limits };
    this.workers = relays.map(({ port }, index) => {
      const busy = index === 0 && busyMs !== undefined ? { busyMs } : {};
      return new Worker({ ...order, port, ...busy });
    });
  }

  /** Resolves when all have started, and each has its share. */
  static async begin(limit: typeof PUBLISHED, { busyMs }: { busyMs?: number } = {}): Promise<World> {
    const emulator = createEmulator({ window: 'sliding', limits: { token: limit } });
    const server = await emulator.listen();
    const redis = await RedisServer.create();
    const relays = await Promise.all([1, 2, 3, 4].map(() => Relay.to(redis.port)));
    const world = new World(limit, emulator, server, redis, relays, busyMs);
    const admin = world.redis.client();
    const areEqual = async () => {
      const held = await heldInRedis(admin);
      return held.length === 4 && Math.min(...held) >= Math.floor(limit.requests / 4);
    };
    await until(areEqual, 'every process to have its share', 20_000 + 3 * limit.perMs);
    admin.disconnect();
    return world;
  }

  /** Waits until every process has exited by itself. */
  async finish(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.finish()));
  }

  async end(): Promise<void> {
    await this.finish();
    await this.#server.close();
    await Promise.all(this.relays.map((relay) => relay.close()));
    await this.redis.stop();
  }

  get refused(): number {
    return this.#emulator.requests.filter(({ status }) => status === 429).length;
  }

  get failures(): string[] {
    return this.workers.flatMap(({ failures }) => failures);
  }

  /**
   * Measures the processes while they send as many requests as this many windows allow. Returns their rate as a share of
   * the limit, and the number of requests that each sent. Requests come in bursts: because it counts requests, not time,
   * it does not matter when in a burst the measurement starts.
   */
  async measure(
    windows: number,
    workers: readonly Worker[] = this.workers,
  ): Promise<{ rate: number; shares: number[] }> {
    const counts = () => workers.map(({ doneAt }) => doneAt.length);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    const before = counts();
    const count = windows * this.#limit.requests;
    const isDone = () => sum(counts()) >= sum(before) + count;
    await until(isDone, `${count} requests`, 4 * windows * this.#limit.perMs);
    const after = counts();
    const times = workers.flatMap(({ doneAt }) => doneAt).sort((one, other) => one - other);
    const first = sum(before) - 1;
    const ms = (times[first + count] ?? NaN) - (times[first] ?? NaN);
    return {
      rate: (windows * this.#limit.perMs) / ms,
      shares: after.map((number, index) => number - (before[index] ?? 0)),
    };
  }
}

const ratio = (shares: readonly number[]) => Math.max(...shares) / Math.min(...shares);

/**
 * Measures until the processes reach this part of the limit's rate, in equal shares: a machine with other work runs a
 * process late now and then, and what it did late is in that measurement alone. The limit itself holds at every moment.
 */
async function expectSteady(
  world: World,
  { windows, rate, workers }: { windows: number; rate: number; workers?: readonly Worker[] },
): Promise<void> {
  const measured: { rate: number; ratio: number }[] = [];
  for (let times = 0; times < 20; times += 1) {
    const found = await world.measure(windows, workers);
    measured.push({ rate: found.rate, ratio: ratio(found.shares) });
    if (found.rate >= rate && ratio(found.shares) <= 1.5) return;
  }
  expect.fail(`Not once at ${rate} of the rate in equal shares: ${JSON.stringify(measured)}`);
}

describeWithRedis('four processes with one token', { timeout: 120_000 }, () => {
  let world: World;
  afterEach(() => world.end());

  test('at the published limit: no refusal, 95 % of the rate, equal shares', async () => {
    world = await World.begin(PUBLISHED);
    await expectSteady(world, { windows: 2, rate: 0.95 });
    expect(world.refused).toBe(0);
    await world.finish();
    expect(world.refused).toBe(0);
    expect(world.failures).toEqual([]);
    expect(world.workers.flatMap(({ statuses }) => statuses)).toEqual([]);
  });

  test('one process has a busy event loop: it gets its share, and the others keep theirs', async () => {
    world = await World.begin(QUICK, { busyMs: 200 });
    await expectSteady(world, { windows: 2, rate: 0.9 });
    expect(world.refused).toBe(0);
  });

  test('one process is killed while it holds permits: they are returned, and its keys expire', async () => {
    world = await World.begin(QUICK);
    const [victim, ...others] = world.workers;
    const redis = world.redis.client();
    await victim?.kill();
    const without = await world.measure(1, others);
    expect(without.rate).toBeGreaterThan(0.5);
    await until(async () => (await heldInRedis(redis)).length === 3, 'its permits to be returned', 60_000);
    await sleep(QUICK.perMs);
    await expectSteady(world, { windows: 2, rate: 0.95, workers: others });
    await world.finish();
    expect(world.refused).toBe(0);
    expect(world.failures).toEqual([]);
    // Every remaining key expires by itself, and does not contain the token.
    for (const { name, text, msToLive } of await dumpRedis(redis)) {
      expect([name, msToLive]).toEqual([name, expect.any(Number)]);
      expect(msToLive).toBeGreaterThan(0);
      expect(name + text).not.toContain(world.token);
    }
    redis.disconnect();
  });

  test('Redis is killed and restarted: calls go on without a refusal, first by shares and then together', async () => {
    world = await World.begin(QUICK);
    const { workers, redis } = world;
    await redis.stop();
    await until(
      () => workers.every(({ statuses }) => statuses.at(-1) === true),
      'all processes to work without Redis',
    );
    // Until the permits that were in use when Redis died are returned, each process adds only an equal share of the rest.
    await sleep(QUICK.perMs + TIMEOUT_MS);
    await expectSteady(world, { windows: 1, rate: 0.9 });
    await redis.start();
    await until(() => workers.every(({ statuses }) => statuses.at(-1) === false), 'all processes to share');
    await sleep(QUICK.perMs);
    await expectSteady(world, { windows: 2, rate: 0.95 });
    await world.finish();
    expect(world.refused).toBe(0);
    expect(world.failures).toEqual([]);
  });

  test('Redis is emptied, three times: no refusal, and no call fails', async () => {
    world = await World.begin(QUICK);
    const redis = world.redis.client();
    for (let times = 0; times < 3; times += 1) {
      await redis.flushall();
      await until(
        () => world.workers.every(({ statuses }) => statuses.at(-1) === true),
        'all processes to notice',
      );
      await until(
        () => world.workers.every(({ statuses }) => statuses.at(-1) === false),
        'all processes to share',
      );
    }
    redis.disconnect();
    await expectSteady(world, { windows: 1, rate: 0.9 });
    await world.finish();
    expect(world.refused).toBe(0);
    expect(world.failures).toEqual([]);
  });

  test('Redis hangs and continues: no refusal, and no call fails', async () => {
    world = await World.begin(QUICK);
    const { workers, redis } = world;
    redis.hang();
    await until(
      () => workers.every(({ statuses }) => statuses.at(-1) === true),
      'all processes to work without Redis',
    );
    await world.measure(1);
    redis.resume();
    await until(() => workers.every(({ statuses }) => statuses.at(-1) === false), 'all processes to share');
    await expectSteady(world, { windows: 1, rate: 0.9 });
    await world.finish();
    expect(world.refused).toBe(0);
    expect(world.failures).toEqual([]);
  });

  test('connections are cut at any point: no refusal, and no call fails', async () => {
    world = await World.begin(QUICK);
    // The cuts are at different commands and replies in each process, over several windows.
    const cuts = world.relays.map(async (relay, index) => {
      for (let nth = 1; nth <= 12; nth += 1) {
        const lost: Way = (nth + index) % 2 === 0 ? 'commands' : 'replies';
        await relay.cutAt(7 * nth + index, lost);
      }
    });
    await Promise.all(cuts);
    await expectSteady(world, { windows: 2, rate: 0.95 });
    await world.finish();
    expect(world.refused).toBe(0);
    expect(world.failures).toEqual([]);
  });
});
