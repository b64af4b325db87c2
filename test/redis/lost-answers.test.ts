import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Permit } from '../../src/core/throttle.ts';
import { expirationsInRedis, forgetJobs, jobsInRedis, waitingInRedis } from '../support/redis/contents.ts';
import { settled, SharingProcess, sleep, tokenOnly, until } from '../support/redis/process.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { Relay, type Way } from '../support/redis/relay.ts';
import { describeWithRedis } from '../support/redis/with-redis.ts';

const TIMEOUT_MS = 100;
const limits = { ...tokenOnly, token: { requests: 4, perMs: 150 } };
/** For so long a lease lives in Redis that nobody extends. */
const LEASE_MS = 2_000 + 2 * TIMEOUT_MS + limits.token.perMs + 2_000;

describeWithRedis('what is lost between a process and Redis', { timeout: 60_000 }, () => {
  let server: RedisServer;
  let relay: Relay;
  let redis: Redis;
  let one: SharingProcess;

  beforeEach(async () => {
    server = await RedisServer.create();
    relay = await Relay.to(server.port);
    redis = server.client();
    one = new SharingProcess(relay, { limits, processes: 1 });
    (await ask()).neverSent();
    await nothingIsOut();
  });
  afterEach(async () => {
    await one.close();
    redis.disconnect();
    await relay.close();
    await server.stop();
  });

  const ask = () => one.ask({ timeoutMs: TIMEOUT_MS });
  const askMany = (count: number) => one.askMany(count, { timeoutMs: TIMEOUT_MS });
  const out = async () => Object.keys(await jobsInRedis(redis));
  const nothingIsOut = () => until(async () => (await out()).length === 0, 'nothing to be out', LEASE_MS);
  const isBack = () => until(() => !one.throttle.isDegraded, 'Redis to be back');
  const nobodyWaits = () =>
    until(async () => (await waitingInRedis(redis)).every((count) => count === 0), 'nobody to wait');

  /** Once a second it tells Redis which permits it has, and Redis extends them. */
  const itHasTold = async () => {
    const moments = async () => String(await expirationsInRedis(redis));
    const before = await moments();
    await until(async () => (await moments()) !== before, 'it to tell');
  };

  test('a permit that Redis gave, but nobody received, does not stay out', async () => {
    const isLost = relay.loseFrom('register', 'answers');
    const asked = askMany(4);
    await isLost;
    relay.cut();
    for (const each of asked) (await each).neverSent();
    await nothingIsOut();
  });

  test('nor does one whose end Redis was never told', async () => {
    const permits = await Promise.all(askMany(2));
    const isLost = relay.loseFrom('end', 'commands');
    for (const permit of permits) permit.neverSent();
    await isLost;
    relay.cut();
    await nothingIsOut();
  });

  test('one that is just being given is not taken for lost', async () => {
    const two = new SharingProcess(server, { limits });
    (await two.ask()).neverSent();
    const first = await ask();
    const isKeptBack = relay.keepBackFrom('register');
    const asked = ask();
    const passOn = await isKeptBack;
    await itHasTold();
    // Bottleneck ends at its next command what is to end.
    (await two.ask()).neverSent();
    passOn();
    const permits = [first, await asked];
    await itHasTold();
    expect(await out()).toHaveLength(2);
    for (const permit of permits) permit.neverSent();
    await two.close();
  });

  test('Redis knows again who waits, so that nobody is passed over', async () => {
    for (let times = 0; times < 3; times += 1) {
      const isLost = relay.loseFrom('register', 'answers');
      const asked = askMany(2);
      await isLost;
      relay.cut();
      for (const each of asked) (await each).neverSent();
      await isBack();
    }
    (await ask()).neverSent();
    await nobodyWaits();
  });

  test('a permit that Redis has forgotten serves no second request', async () => {
    const two = new SharingProcess(server, { limits });
    (await two.ask()).neverSent();
    const [first, second] = await Promise.all(askMany(2));
    await forgetJobs(redis);
    const theirs = await Promise.all(two.askMany(4));
    await itHasTold();
    await itHasTold();
    const waiting = ask();
    const got = settled([waiting]);
    first?.neverSent();
    await sleep(150);
    expect(got.count).toBe(0);
    second?.neverSent();
    for (const permit of theirs) permit.neverSent();
    (await waiting).neverSent();
    await two.close();
  });

  test('a pool that could not be opened leaves nothing behind, and is opened again', async () => {
    const key = { token: 'b' };
    // Opening ends with the limit that is meant, which looks like `submit`.
    const isLost = relay.loseFrom('submit', 'answers');
    const asked = one.ask({ key });
    await isLost;
    relay.cut();
    // Redis does not know of it, and so it is opened again at once.
    const permits = [await asked];
    await isBack();
    const two = new SharingProcess(server, { limits });
    permits.push(...(await Promise.all(two.askMany(3, { key }))));
    // An open pool has a channel of all processes, and one of each.
    expect(await redis.pubsub('CHANNELS')).toHaveLength(2 + 3);
    const waiting = one.ask({ key });
    const got = settled([waiting]);
    await sleep(100);
    expect(got.count).toBe(0);
    for (const permit of permits) permit.neverSent();
    (await waiting).neverSent();
    await two.close();
  });

  const cut = fc.record({
    nth: fc.integer({ min: 1, max: 40 }),
    lost: fc.constantFrom<Way>('commands', 'answers'),
  });

  test('connections are cut again and again, anywhere: nothing is lost for good, and no limit exceeded', async () => {
    const permits = new Set<Permit>();
    let most = 0;
    let isOver = false;
    /** More want to send than may at once, but not always: then permits go back and forth. */
    const send = async () => {
      while (!isOver) {
        const permit = await ask();
        permits.add(permit);
        most = Math.max(most, permits.size);
        await sleep(5);
        permits.delete(permit);
        permit.neverSent();
        await sleep(5);
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { minLength: 15, maxLength: 15 }), async (cuts) => {
        isOver = false;
        const sending = Promise.all(Array.from({ length: 6 }, send));
        for (const { nth, lost } of cuts) await relay.cutAt(nth, lost);
        isOver = true;
        await sending;
        await nothingIsOut();
        await nobodyWaits();
        for (const permit of await Promise.all(askMany(4))) permit.neverSent();
        expect(one.throttle.isDegraded).toBe(false);
        expect(most).toBe(4);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });
});
