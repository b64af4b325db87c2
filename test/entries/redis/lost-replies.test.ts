import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Permit } from '../../../src/throttle/permit.ts';
import { forgetPermits, permitsInRedis } from '../../support/redis/contents.ts';
import { settled, SharingProcess, sleep, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { Relay, type Way } from '../../support/redis/relay.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

const TIMEOUT_MS = 100;
const limits = { ...tokenOnly, token: { requests: 4, perMs: 150 } };
/** A little longer than a permit is in use if Redis receives nothing more about it. */
const LONGEST_MS = 2 * (TIMEOUT_MS + limits.token.perMs + 2_500);

describeWithRedis('lost commands and replies', () => {
  let server: RedisServer;
  let relay: Relay;
  let redis: Redis;
  let one: SharingProcess;

  beforeEach(async () => {
    server = await RedisServer.create();
    relay = await Relay.to(server.port);
    redis = server.client();
    one = new SharingProcess(relay, { limits, processes: 1 });
    (await ask()).end('neverSent');
    await noneInUse();
  });
  afterEach(async () => {
    await one.close();
    redis.disconnect();
    await relay.close();
    await server.stop();
  });

  const ask = () => one.ask({ timeoutMs: TIMEOUT_MS });
  const askMany = (count: number) => one.askMany(count, { timeoutMs: TIMEOUT_MS });
  const inUse = async () => [...(await permitsInRedis(redis)).keys()];
  const noneInUse = () =>
    until(async () => (await inUse()).length === 0, 'no permit to be in use', LONGEST_MS);
  const isBack = () => until(() => !one.throttle.isDegraded, 'Redis to be back');

  test('a permit granted in a lost reply is returned', async () => {
    const isLost = relay.loseFrom('acquire', 'replies');
    const asked = askMany(4);
    await isLost;
    relay.cut();
    for (const each of asked) (await each).end('neverSent');
    await noneInUse();
  });

  test('a permit whose end never reached Redis is returned', async () => {
    const permits = await Promise.all(askMany(2));
    const isLost = relay.loseFrom('returnIn', 'commands');
    for (const permit of permits) permit.end('neverSent');
    await isLost;
    relay.cut();
    await noneInUse();
  });

  test('after a lost reply the process reconnects, and every call is sent', async () => {
    for (let times = 0; times < 3; times += 1) {
      const isLost = relay.loseFrom('acquire', 'replies');
      const asked = askMany(2);
      await isLost;
      relay.cut();
      for (const each of asked) (await each).end('neverSent');
      await isBack();
    }
    await noneInUse();
    expect(one.statuses).toEqual([]);
  });

  test('after a broken connection the process reconnects: the limit is kept, and the throttle is not degraded', async () => {
    const two = new SharingProcess(server, { limits });
    const theirs = await Promise.all(two.askMany(3));
    const [mine] = await Promise.all(askMany(1));
    const waiting = ask();
    const got = settled([waiting]);
    for (let times = 0; times < 5; times += 1) {
      relay.cut();
      // The waiting call is requested again as soon as the process has reconnected.
      await relay.loseFrom('acquire', 'replies');
    }
    relay.cut();
    expect(got.count).toBe(0);
    mine?.end('neverSent');
    (await waiting).end('neverSent');
    expect(one.statuses).toEqual([]);
    for (const permit of theirs) permit.end('neverSent');
    await two.close();
  });

  test('permits that Redis has lost still count in the process that uses them', async () => {
    const permits = await Promise.all(askMany(4));
    await forgetPermits(redis);
    const waiting = ask();
    const got = settled([waiting]);
    await sleep(150);
    expect(got.count).toBe(0);
    for (const permit of permits) permit.end('neverSent');
    (await waiting).end('neverSent');
  });

  const cut = fc.record({
    nth: fc.integer({ min: 1, max: 40 }),
    lost: fc.constantFrom<Way>('commands', 'replies'),
  });

  test('property: wherever connections are cut, no permit is lost, and no limit is exceeded', async () => {
    const permits = new Set<Permit>();
    let most = 0;
    let isOver = false;
    /** Sometimes more requests are queued than there are permits, and sometimes fewer. */
    const send = async () => {
      while (!isOver) {
        const permit = await ask();
        permits.add(permit);
        most = Math.max(most, permits.size);
        await sleep(5);
        permits.delete(permit);
        permit.end('neverSent');
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
        await noneInUse();
        for (const permit of await Promise.all(askMany(4))) permit.end('neverSent');
        await isBack();
        expect(most).toBe(4);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });
});
