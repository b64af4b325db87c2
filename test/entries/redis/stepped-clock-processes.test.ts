import { afterEach, expect, test } from 'vitest';
import { createEmulator } from 'email-platform/testing';
import { sleep, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { SteppedClock } from '../../support/redis/stepped-clock.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';
import { Worker } from '../../support/redis/workers.ts';

const LIMIT = { requests: 40, perMs: 2_000 };
const MINUTE = 60;

describeWithRedis('several processes, while the clock of their Redis is set', { timeout: 90_000 }, () => {
  const ends: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  test.each([
    ['back, by ever more', (times: number) => -50 * MINUTE * times],
    ['forward, by ever more', (times: number) => 24 * 60 * MINUTE * times],
    ['back and forth', (times: number) => (times % 2 === 0 ? -1 : 1) * 3 * MINUTE],
  ])('%s: the service refuses nothing, and calls go on', async (_, secondsOf) => {
    const emulator = createEmulator({ window: 'sliding', limits: { token: LIMIT } });
    const service = await emulator.listen();
    ends.push(() => service.close());
    const server = await RedisServer.create();
    ends.push(() => server.stop());
    const redis = server.client();
    ends.push(() => redis.quit());
    const clock = new SteppedClock(server);
    const workers = [1, 2, 3].map(
      () =>
        new Worker({
          port: server.port,
          connection: service.clientOptions(),
          limits: { ...tokenOnly, token: LIMIT },
          timeoutMs: 30_000,
          atOnce: 10,
          hasSteppedClock: true,
        }),
    );
    const done = () => workers.flatMap(({ doneAt }) => doneAt).length;
    try {
      await until(
        () => workers.every(({ doneAt }) => doneAt.length > 0),
        'every process to have sent',
        40_000,
      );
      const before = done();
      for (let times = 1; times <= 8; times += 1) {
        await clock.set(redis, secondsOf(times));
        await sleep(LIMIT.perMs / 2);
      }
      expect(done() - before).toBeGreaterThanOrEqual(2 * LIMIT.requests);
    } finally {
      await Promise.all(workers.map((worker) => worker.finish()));
    }
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(workers.flatMap(({ failures }) => failures)).toEqual([]);
    expect(workers.flatMap(({ statuses }) => statuses)).toEqual([]);
  });
});
