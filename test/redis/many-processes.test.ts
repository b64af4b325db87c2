import { afterEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, type EmulatorServer } from 'email-platform/testing';
import { sleep, tokenOnly, until } from '../support/redis/process.ts';
import { hasRedisServer, NO_REDIS, RedisServer } from '../support/redis/redis-server.ts';
import { Worker } from '../support/redis/workers.ts';

if (!hasRedisServer()) process.stderr.write(`\n*** The Redis tests are SKIPPED. ${NO_REDIS}\n\n`);

const TIMEOUT_MS = 2_000;

interface Limit {
  readonly requests: number;
  readonly perMs: number;
}

/** Four processes with the real client, a service that counts strictly, a Redis, all real. */
class World {
  readonly workers: readonly Worker[];
  readonly redis: RedisServer;
  readonly #limit: Limit;
  readonly #emulator: Emulator;
  readonly #server: EmulatorServer;

  private constructor(limit: Limit, emulator: Emulator, server: EmulatorServer, redis: RedisServer) {
    this.redis = redis;
    this.#limit = limit;
    this.#emulator = emulator;
    this.#server = server;
    const connection = server.clientOptions();
    const order = { port: redis.port, connection, timeoutMs: TIMEOUT_MS, atOnce: 20 };
    const limits = { ...tokenOnly, token: limit };
    this.workers = Array.from({ length: 4 }, () => new Worker({ ...order, limits }));
  }

  static async begin(limit: Limit): Promise<World> {
    const emulator = createEmulator({ window: 'sliding', limits: { token: limit } });
    const world = new World(limit, emulator, await emulator.listen(), await RedisServer.create());
    await until(() => world.workers.every(({ done }) => done > 0), 'every process to have sent something');
    // What those who came first took alone is back by then.
    await sleep(2 * limit.perMs);
    return world;
  }

  async end(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.finish()));
    await this.#server.close();
    await this.redis.stop();
  }

  get refused(): number {
    return this.#emulator.requests.filter(({ status }) => status === 429).length;
  }

  get failures(): string[] {
    return this.workers.flatMap(({ failures }) => failures);
  }

  /** Requests each process sent meanwhile, and all of them together as a share of what the limit allows. */
  async measure(ms: number, workers = this.workers): Promise<{ shares: number[]; rate: number }> {
    const before = workers.map(({ done }) => done);
    const begun = performance.now();
    await sleep(ms);
    const shares = workers.map(({ done }, index) => done - (before[index] ?? 0));
    const allowed = ((performance.now() - begun) / this.#limit.perMs) * this.#limit.requests;
    return { shares, rate: shares.reduce((sum, share) => sum + share, 0) / allowed };
  }
}

const ratio = (shares: readonly number[]) => Math.max(...shares) / Math.min(...shares);

describe.skipIf(!hasRedisServer())('four processes with one token', { timeout: 180_000 }, () => {
  let world: World;
  afterEach(() => world.end());

  test.each([
    { requests: 30, perMs: 1_000, ms: 8_000 },
    { requests: 150, perMs: 10_000, ms: 40_000 },
  ])('$requests per $perMs ms: no refusal, 95 % of the rate, nobody starves', async ({ ms, ...limit }) => {
    world = await World.begin(limit);
    const { shares, rate } = await world.measure(ms);
    expect(world.refused).toBe(0);
    expect(rate).toBeGreaterThanOrEqual(0.95);
    expect(ratio(shares)).toBeLessThanOrEqual(1.5);
    await world.end();
    expect(world.refused).toBe(0);
    expect(world.failures).toEqual([]);
    expect(world.workers.flatMap(({ statuses }) => statuses)).toEqual([]);
  });

  test('one is killed while it holds permits: they come back by themselves, the others lose nothing', async () => {
    world = await World.begin({ requests: 30, perMs: 1_000 });
    const [victim, ...others] = world.workers;
    await victim?.kill();
    const during = await world.measure(2_000, others);
    expect(during.rate).toBeGreaterThan(0.4);
    // Held, in flight, on its way, one window, and some slack; then a heartbeat, and it is shared out anew.
    await sleep(2_000 + 2 * TIMEOUT_MS + 1_000 + 2_000 + 2_000);
    const { shares, rate } = await world.measure(6_000, others);
    expect(rate).toBeGreaterThanOrEqual(0.95);
    expect(ratio(shares)).toBeLessThanOrEqual(1.5);
    await world.end();
    expect(world.refused).toBe(0);
    expect(world.failures).toEqual([]);
  });

  test('Redis is killed and restarted: calls go on without a refusal, first by shares and then together', async () => {
    world = await World.begin({ requests: 30, perMs: 1_000 });
    const { workers, redis } = world;
    await redis.stop();
    await until(() => workers.every(({ statuses }) => statuses.at(-1) === true), 'everybody to go without');
    const without = await world.measure(4_000);
    // Four times seven of thirty.
    expect(without.rate).toBeGreaterThan(0.75);
    expect(ratio(without.shares)).toBeLessThanOrEqual(1.5);
    await redis.start();
    await until(() => workers.every(({ statuses }) => statuses.at(-1) === false), 'everybody to share');
    await sleep(1_000);
    const { shares, rate } = await world.measure(6_000);
    expect(rate).toBeGreaterThanOrEqual(0.95);
    expect(ratio(shares)).toBeLessThanOrEqual(1.5);
    await world.end();
    expect(world.refused).toBe(0);
    expect(world.failures).toEqual([]);
  });
});
