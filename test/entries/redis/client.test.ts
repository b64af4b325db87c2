import { ConfigurationError, EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { redisThrottle, type RedisThrottle, type RedisThrottleOptions } from 'email-platform/redis';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

const limits = { ...tokenOnly, token: { requests: 4, perMs: 500 } };
const slow = { ...tokenOnly, token: { requests: 4, perMs: 2_000 } };

describeWithRedis('a client with limits shared through Redis', () => {
  let server: RedisServer;
  let emulator: Emulator;
  let open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    server = await RedisServer.create();
  });
  beforeEach(() => {
    emulator = createEmulator({ limits: { token: limits.token }, window: 'sliding' });
  });
  afterEach(async () => {
    await Promise.all(open.map((throttle) => throttle.close()));
    open = [];
  });
  afterAll(() => server.stop());

  function throttleAt(port: number, options: Partial<RedisThrottleOptions> = {}): RedisThrottle {
    const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true });
    const throttle = redisThrottle({ redis, limits, ...options });
    open.push(throttle);
    return throttle;
  }

  const client = (throttle: RedisThrottle, options: EmailPlatformOptions = {}) =>
    new EmailPlatform({ ...emulator.clientOptions(), throttle, ...options });

  const lists = (of: EmailPlatform, count: number) =>
    Promise.all(Array.from({ length: count }, () => of.campaigns.list({ per_page: 1 })));

  /** A `fetch` whose requests wait for `release`: their permits stay in use until every process knows of them. */
  function held() {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const fetch: EmailPlatform.Fetch = async (input, init) => {
      await released;
      return emulator.clientOptions().fetch(input, init);
    };
    return { fetch, release: () => release() };
  }

  const refused = () => emulator.requests.filter(({ status }) => status === 429).length;

  test('snapshot and estimate include all processes; derived clients share the throttle', async () => {
    const throttles = [1, 2].map(() => throttleAt(server.port, { limits: slow }));
    const { fetch, release } = held();
    const clients = throttles.map((throttle) => client(throttle, { fetch }));
    const [here, there] = clients as [EmailPlatform, EmailPlatform];
    const derived = here.withOptions({ hooks: {} });
    const first = Promise.all([lists(here, 1), lists(derived, 1), lists(there, 1)]);
    await until(() => here.limits.snapshot().token?.used === 3, 'to see the permits in use elsewhere');
    expect(here.limits.snapshot()).toEqual({ token: { ...slow.token, used: 3, waiting: 0 } });
    expect(derived.limits.snapshot()).toEqual(here.limits.snapshot());
    expect(here.limits.estimate(1)).toBe(0);
    expect(here.limits.estimate(4)).toBeGreaterThan(0);
    expect(here.limits.estimate(8)).toBeGreaterThan(2_000);
    release();
    await first;
    await Promise.all([lists(here, 2), lists(there, 2)]);
    expect(refused()).toBe(0);
  });

  test('without Redis calls go on, and the events of onThrottle are degraded', async () => {
    const nowhere = await RedisServer.create({ start: false });
    const events: EmailPlatform.ThrottleEvent[] = [];
    const hooks = { onThrottle: (event: EmailPlatform.ThrottleEvent) => void events.push(event) };
    const throttle = throttleAt(nowhere.port, { processes: 2 });
    await lists(client(throttle, { hooks }), 5);
    expect(throttle.isDegraded).toBe(true);
    expect(events.at(-1)).toMatchObject({ operation: 'campaigns.list', pool: 'token', degraded: true });
    // Half of four a window.
    const [first, , third] = emulator.requests;
    expect((third?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(499);
    expect(refused()).toBe(0);
  });

  test('a refusal closes the pool in the other processes too', async () => {
    const throttles = [throttleAt(server.port), throttleAt(server.port)];
    const [here, there] = throttles.map((throttle) => client(throttle)) as [EmailPlatform, EmailPlatform];
    await Promise.all([lists(here, 1), lists(there, 1)]);
    emulator.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '1' } });
    const begun = performance.now();
    const refusedOnce = lists(here, 1);
    await until(() => there.limits.snapshot().token?.blockedUntil !== undefined, 'the others to know');
    await lists(there, 1);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    await refusedOnce;
    expect(refused()).toBe(1);
  });

  test('a token that is a function requires tokenName', async () => {
    const { token } = emulator.clientOptions();
    const nameless = client(throttleAt(server.port), { token: () => token });
    const error = await rejection(nameless.campaigns.list(), ConfigurationError);
    expect(error).toMatchObject({ option: 'tokenName', request: { operation: 'campaigns.list' } });
    const throttles = [1, 2].map(() => throttleAt(server.port, { tokenName: 'main', limits: slow }));
    const { fetch, release } = held();
    const clients = throttles.map((throttle) => client(throttle, { token: () => token, fetch }));
    const [here, there] = clients as [EmailPlatform, EmailPlatform];
    const calls = Promise.all([lists(here, 2), lists(there, 1)]);
    await until(() => here.limits.snapshot().token?.used === 3, 'to see all three');
    release();
    await calls;
  });
});
