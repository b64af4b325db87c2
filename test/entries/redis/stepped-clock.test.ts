import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SharingProcess, sleep, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { Relay } from '../../support/redis/relay.ts';
import { SteppedClock, withSteppedClock } from '../../support/redis/stepped-clock.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

const LIMIT = { requests: 4, perMs: 300 };
const limits = { ...tokenOnly, token: LIMIT };
const MINUTE = 60;

/** Requests of several processes, each from when its permit was taken until one window after its response. */
class Traffic {
  readonly #processes: SharingProcess[];
  readonly #taken: number[] = [];
  #isOver = false;
  readonly #senders: Promise<void>[];

  constructor(processes: readonly SharingProcess[]) {
    this.#processes = [...processes];
    this.#senders = this.#processes.flatMap((process) => [1, 2, 3, 4].map(() => this.#send(process)));
  }

  /** How many requests are sent in this many windows. */
  async during(windows: number): Promise<number> {
    const before = this.#taken.length;
    await sleep(windows * LIMIT.perMs);
    return this.#taken.length - before;
  }

  /** Resolves when a window's worth of requests was sent. */
  begun(): Promise<void> {
    return until(() => this.#taken.length >= LIMIT.requests, 'the first requests');
  }

  /** The most requests in any one window, less a few ms for what the test itself takes. */
  async mostInAWindow(): Promise<number> {
    this.#isOver = true;
    await Promise.all(this.#senders);
    const times = [...this.#taken].sort((one, other) => one - other);
    return Math.max(
      ...times.map((at) => times.filter((other) => other >= at && other < at + LIMIT.perMs - 20).length),
    );
  }

  async #send(process: SharingProcess): Promise<void> {
    while (!this.#isOver) {
      const permit = await process.ask();
      this.#taken.push(performance.now());
      permit.end('answered');
    }
  }
}

describeWithRedis('the clock of the machine Redis runs on', { timeout: 60_000 }, () => {
  let server: RedisServer;
  let clock: SteppedClock;
  let redis: Redis;
  let processes: SharingProcess[];
  let traffic: Traffic;

  beforeAll(async () => {
    server = await RedisServer.create();
    clock = new SteppedClock(server);
  });
  beforeEach(async () => {
    redis = server.client();
    processes = [1, 2, 3].map(() => new SharingProcess(clock, { limits }));
    traffic = new Traffic(processes);
    await traffic.begun();
    await traffic.during(3);
  });
  afterEach(async () => {
    await Promise.all(processes.map((each) => each.close()));
    await redis.flushall();
    redis.disconnect();
  });
  afterAll(() => server.stop());

  test.each([
    ['back by 5 seconds', -5],
    ['back by 50 minutes', -50 * MINUTE],
    ['back by a day', -24 * 60 * MINUTE],
    ['forward by 5 seconds', 5],
    ['forward by a day', 24 * 60 * MINUTE],
  ])('is set %s: the limit is kept, and the rate is back within a window', async (_, seconds) => {
    await clock.set(redis, seconds);
    await traffic.during(2);
    const sent = await traffic.during(6);
    expect(await traffic.mostInAWindow()).toBeLessThanOrEqual(LIMIT.requests);
    expect(sent).toBeGreaterThanOrEqual(0.7 * 6 * LIMIT.requests);
    expect(processes.flatMap(({ statuses }) => statuses)).toEqual([]);
  });

  test.each([
    ['a second', 1],
    ['50 minutes', 50 * MINUTE],
  ])('goes back and forth by %s, again and again: the limit is kept, and calls go on', async (_, seconds) => {
    let sent = 0;
    for (let times = 0; times < 20; times += 1) {
      await clock.set(redis, times % 2 === 0 ? -seconds : seconds);
      sent += await traffic.during(0.5);
    }
    expect(await traffic.mostInAWindow()).toBeLessThanOrEqual(LIMIT.requests);
    expect(sent).toBeGreaterThanOrEqual(0.5 * 10 * LIMIT.requests);
  });

  test('goes forward by 5 seconds again and again: no permit is returned early', async () => {
    for (let times = 1; times <= 20; times += 1) {
      await clock.set(redis, 5 * times);
      await traffic.during(0.25);
    }
    expect(await traffic.mostInAWindow()).toBeLessThanOrEqual(LIMIT.requests);
  });

  test('is set forward after a command was held up: no permit is returned early', async () => {
    await traffic.mostInAWindow();
    const relay = await Relay.to(server.port);
    const late = new SharingProcess({ client: () => withSteppedClock(relay.client()) }, { limits });
    try {
      (await late.ask()).end('neverSent');
      await sleep(2 * LIMIT.perMs);
      const permits = await Promise.all(processes[0]?.askMany(LIMIT.requests) ?? []);
      const held = relay.keepBackFrom('acquire', 'commands');
      const asked = late.ask();
      const release = await held;
      await sleep(2 * LIMIT.perMs);
      for (const permit of permits) permit.end('answered');
      const answeredAt = performance.now();
      await sleep(20);
      release();
      await sleep(5);
      await clock.set(redis, MINUTE);
      (await asked).end('answered');
      expect(performance.now() - answeredAt).toBeGreaterThan(LIMIT.perMs - 1);
    } finally {
      await late.close();
      await relay.close();
    }
  });

  test('is set back during a block: the block lasts as long as it was to last', async () => {
    processes[0]?.throttle.block({ token: 'a' }, 'token', 2 * LIMIT.perMs);
    await traffic.during(1);
    await clock.set(redis, -50 * MINUTE);
    await traffic.during(3);
    expect(await traffic.during(4)).toBeGreaterThanOrEqual(2 * LIMIT.requests);
    expect(await traffic.mostInAWindow()).toBeLessThanOrEqual(LIMIT.requests);
  });

  test('is another one after another Redis has taken over with the data', async () => {
    await clock.set(redis, -7 * MINUTE);
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await traffic.during(4);
    const sent = await traffic.during(6);
    expect(await traffic.mostInAWindow()).toBeLessThanOrEqual(LIMIT.requests);
    expect(sent).toBeGreaterThanOrEqual(0.6 * 6 * LIMIT.requests);
  });
});
