import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ThrottleWait } from '../../../src/core/limits.ts';
import { settled, SharingProcess, sleep, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

const limits = { ...tokenOnly, token: { requests: 8, perMs: 400 } };

describeWithRedis('while Redis is unreachable, or after it', () => {
  let server: RedisServer;
  let open: SharingProcess[] = [];
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => unhandled.push(error);

  beforeEach(async () => {
    server = await RedisServer.create({ start: false });
    process.on('unhandledRejection', onUnhandled);
  });
  afterEach(async () => {
    await Promise.all(open.map((each) => each.close()));
    open = [];
    await server.stop();
    await sleep(20);
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled.splice(0)).toEqual([]);
  });

  function begin(options: ConstructorParameters<typeof SharingProcess>[1] = {}): SharingProcess {
    const made = new SharingProcess(server, { limits, ...options });
    open.push(made);
    return made;
  }

  /** Two processes that each know of the other: a reply of Redis has the number of processes. */
  async function beginTwo(): Promise<[SharingProcess, SharingProcess]> {
    const [one, two] = [begin(), begin()];
    for (const each of [one, two, one]) (await each.ask()).end('neverSent');
    return [one, two];
  }

  const sharing = (...all: SharingProcess[]) =>
    until(() => all.every(({ statuses }) => statuses.at(-1) === false), 'all processes to share');
  const degraded = (...all: SharingProcess[]) =>
    until(() => all.every(({ throttle }) => throttle.isDegraded), 'all processes to work without Redis');

  test('at the start: the process uses its share and calls onStatus; later it uses the shared limit', async () => {
    const one = begin({ processes: 4 });
    const waits: ThrottleWait[] = [];
    const onWait = (wait: ThrottleWait) => waits.push(wait);
    const permits = await Promise.all(one.askMany(2, { onWait }));
    expect(one.statuses).toEqual([true]);
    expect(one.throttle.isDegraded).toBe(true);
    const asked = one.askMany(2, { onWait });
    const got = settled(asked);
    await sleep(100);
    expect(got.count).toBe(0);
    expect(waits.at(-1)).toMatchObject({ pool: 'token', waiting: 2, degraded: true });
    await server.start();
    await sharing(one);
    await until(() => got.count === 2, 'the shared limit to let two more go');
    // Redis has the permits taken before: of eight, four are in use.
    const two = begin();
    const gotThere = settled(two.askMany(8));
    await until(() => gotThere.count === 4, 'the other process to get the rest');
    await sleep(100);
    expect(gotThere.count).toBe(4);
    for (const permit of permits) permit.end('neverSent');
    await until(() => gotThere.count === 6, 'the other process to get two more');
  });

  test('without the option `processes`, and if Redis was never reached, ten processes are assumed', async () => {
    const one = begin({ limits: { ...tokenOnly, token: { requests: 30, perMs: 400 } } });
    const got = settled(one.askMany(10));
    await degraded(one);
    await sleep(50);
    expect(got.count).toBe(3);
  });

  test('all token functions together have one share', async () => {
    const one = begin({ processes: 4, tokenName: 'main' });
    const got = settled(Array.from({ length: 6 }, () => one.ask({ key: { token: () => 'a' } })));
    await degraded(one);
    await sleep(50);
    expect(got.count).toBe(2);
  });

  test('when Redis is lost: no call is lost, the limit is kept, and each process has its share', async () => {
    await server.start();
    const [one, two] = await beginTwo();
    // One process has more than half of the permits.
    const permits = await Promise.all(one.askMany(6));
    await until(() => two.used() === 6, 'the other process to see them');
    const waiting = [one.askMany(6), two.askMany(6)];
    await sleep(50);
    await server.stop();
    await degraded(one, two);
    const [gotOne, gotTwo] = [settled(waiting[0] ?? []), settled(waiting[1] ?? [])];
    await sleep(100);
    // Six permits are in use, so at most two calls can go.
    const wentAtOnce = gotOne.count + gotTwo.count;
    expect(wentAtOnce).toBeLessThanOrEqual(2);
    for (const permit of permits) permit.end('answered');
    for (const asks of waiting) for (const ask of asks) void ask.then((permit) => permit.end('answered'));
    await until(() => gotOne.count === 6 && gotTwo.count === 6, 'every call to go');
    expect(one.used()).toBeLessThanOrEqual(4);
    expect(two.used()).toBeLessThanOrEqual(4);
  });

  test('when Redis is back with its data: permits returned meanwhile are free, those in use still count', async () => {
    await server.start();
    const [one, two] = [begin(), begin()];
    const [first, second] = await Promise.all(one.askMany(2));
    (await two.ask()).end('neverSent');
    server.hang();
    await degraded(one, two);
    first?.end('neverSent');
    const taken = await one.ask();
    server.resume();
    await sharing(one, two);
    const got = settled(two.askMany(8));
    await until(() => got.count === 6, 'what is free');
    await sleep(150);
    expect(got.count).toBe(6);
    second?.end('neverSent');
    taken.end('neverSent');
    await until(() => got.count === 8, 'the rest');
  });

  test('when Redis is back without its data: every process keeps to its share until all permits are registered again', async () => {
    await server.start();
    const [one, two] = await beginTwo();
    const permits = await Promise.all(one.askMany(6));
    await until(() => two.used() === 6, 'the other process to see them');
    const stoppedAt = performance.now();
    await server.stop();
    await degraded(one, two);
    const granted: { readonly at: number; readonly isDegraded: boolean }[] = [];
    for (const ask of two.askMany(8))
      void ask.then(() => granted.push({ at: performance.now(), isDegraded: two.throttle.isDegraded }));
    await server.start();
    for (const permit of permits) permit.end('answered');
    await until(() => granted.length === 8, 'the whole limit');
    // One process used six of eight: of the other two, the second may use one for a window and two seconds.
    expect(granted.filter(({ at }) => at < stoppedAt + limits.token.perMs + 2_000)).toHaveLength(1);
    expect(granted.filter(({ isDegraded }) => isDegraded)).toHaveLength(4);
    await sharing(one, two);
  });

  const empty = async () => {
    const redis = server.client();
    await redis.flushall();
    redis.disconnect();
  };

  test('when Redis is emptied while all are connected: permits in use are registered again, and the limit is kept', async () => {
    await server.start();
    const [one, two] = [begin(), begin()];
    (await two.ask()).end('neverSent');
    const permits = await Promise.all(one.askMany(7));
    await until(() => two.used() === 7, 'the other process to see them');
    await empty();
    await degraded(one, two);
    await sharing(one, two);
    await until(() => two.used() === 7, 'the other process to see them again');
    const got = settled(two.askMany(8));
    await until(() => got.count > 0, 'what is free');
    await sleep(200);
    expect(got.count).toBe(1);
    for (const permit of permits) permit.end('neverSent');
    await until(() => got.count === 8, 'the permits to be returned');
  });

  test('when Redis is emptied: each process still divides the limit by the number of processes', async () => {
    await server.start();
    const all = await beginTwo();
    await empty();
    await degraded(...all);
    const got = all.map((each) => settled(each.askMany(8)));
    await until(() => got.every(({ count }) => count >= 4), 'each to have its share');
    await sleep(100);
    expect(got.map(({ count }) => count)).toEqual([4, 4]);
  });

  test('a Redis that refuses commands counts as lost', async () => {
    await server.start();
    const one = begin({ processes: 1 });
    (await one.ask()).end('neverSent');
    const redis = server.client();
    await redis.config('SET', 'maxmemory', '1');
    await degraded(one);
    (await one.ask()).end('neverSent');
    await redis.config('SET', 'maxmemory', '0');
    await sharing(one);
    (await one.ask()).end('neverSent');
    redis.disconnect();
  });

  test('after close, permits are returned when they are due', async () => {
    await server.start();
    const [one, two] = [begin(), begin()];
    (await two.ask()).end('neverSent');
    const timeoutMs = 60_000;
    for (const permit of await Promise.all(one.askMany(8, { timeoutMs }))) permit.end('answered');
    const begun = performance.now();
    await one.close();
    for (const permit of await Promise.all(two.askMany(8))) permit.end('neverSent');
    expect(performance.now() - begun).toBeGreaterThan(300);
    // Redis would keep a permit whose response it was not told of for longer than its timeout.
    expect(performance.now() - begun).toBeLessThan(timeoutMs);
  });

  test('close while calls are queued: they go on under the local share', async () => {
    await server.start();
    const [one, two] = [begin({ processes: 2 }), begin({ processes: 2 })];
    const permits = await Promise.all(two.askMany(8));
    const asked = one.askMany(3);
    await sleep(50);
    await one.close();
    for (const ask of asked) void ask.then((permit) => permit.end('answered'));
    await Promise.all(asked);
    (await one.ask()).end('neverSent');
    expect(one.statuses).not.toContain(true);
    for (const permit of permits) permit.end('neverSent');
  });

  test('after close, a process uses returned permits only within its share', async () => {
    await server.start();
    const [one, two] = [begin({ processes: 2 }), begin({ processes: 2 })];
    for (const each of [one, two]) (await each.ask()).end('neverSent');
    const permits = await Promise.all(one.askMany(8));
    await until(() => two.used() === 8, 'the other process to see them');
    const waiting = one.askMany(8);
    const got = settled(waiting);
    server.hang();
    const closing = one.close();
    for (const permit of permits) permit.end('neverSent');
    await sleep(50);
    expect(got.count).toBe(0);
    server.resume();
    await closing;
    // On its own it may use half of the permits.
    await until(() => got.count === 4, 'its share');
    await sleep(50);
    expect(got.count).toBe(4);
    for (const ask of waiting) void ask.then((permit) => permit.end('neverSent'));
    await Promise.all(waiting);
  });

  test('close works before any call, twice, and without Redis', async () => {
    const one = begin();
    await Promise.all([one.throttle.close(), one.throttle.close()]);
    await server.start();
    const two = begin();
    await two.throttle.close();
    await two.throttle.close();
    expect([...one.statuses, ...two.statuses]).toEqual([]);
  });
});
