import { EmailPlatform, TimeoutError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { permitsInRedis } from '../../support/redis/contents.ts';
import { SharingProcess, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { Relay } from '../../support/redis/relay.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';
import { Worker } from '../../support/redis/workers.ts';

const TIMEOUT_MS = 100;
const LIMIT = { requests: 4, perMs: 300 };
/** For so long Redis keeps a permit of which it hears nothing more. */
const KEPT_MS = TIMEOUT_MS + LIMIT.perMs + 2_500;

/** Stops this process, with its timers and all that it receives; Redis goes on. */
const stopFor = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describeWithRedis('permits of a process that was stopped for longer than Redis keeps them', () => {
  let server: RedisServer;
  let relay: Relay;
  let redis: Redis;
  const ends: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    server = await RedisServer.create();
    relay = await Relay.to(server.port);
    redis = server.client();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    redis.disconnect();
    await relay.close();
    await server.stop();
  });

  function begin(limit = LIMIT) {
    const process = new SharingProcess(relay, {
      limits: { ...tokenOnly, token: limit },
      processes: 1,
      tokenName: 'token',
    });
    ends.push(() => process.close());
    return process;
  }

  test('are not granted, but given back; others take their place', async () => {
    const one = begin();
    (await one.ask({ timeoutMs: TIMEOUT_MS })).end('neverSent');
    const kept = relay.keepBackFrom('acquire');
    const asked = one.askMany(4, { timeoutMs: TIMEOUT_MS });
    const passReply = await kept;
    const old = [...(await permitsInRedis(redis)).keys()];
    passReply();
    stopFor(KEPT_MS + 100);
    const permits = await Promise.all(asked);
    const inUse = [...(await permitsInRedis(redis)).keys()];
    expect([old.length, inUse.length, inUse.filter((id) => old.includes(id))]).toEqual([4, 4, []]);
    for (const permit of permits) permit.end('neverSent');
  });

  test('last for a request no longer, once they were granted', async () => {
    const permit = await begin().ask({ timeoutMs: TIMEOUT_MS });
    expect([permit.lasts(TIMEOUT_MS), permit.lasts(KEPT_MS - LIMIT.perMs)]).toEqual([true, false]);
    stopFor(KEPT_MS - LIMIT.perMs);
    expect(permit.lasts(0)).toBe(false);
    permit.end('neverSent');
  });

  test('are given back, and nothing is sent, when it was stopped in its token function', async () => {
    const sent: unknown[] = [];
    const fetch = (input: unknown) => {
      sent.push(input);
      return Promise.resolve(Response.json({ data: [] }));
    };
    const timeoutMs = 2_000;
    let stopMs = 0;
    const token = () => {
      stopFor(stopMs);
      return 'token';
    };
    const { throttle } = begin();
    const options = { token, hosts: { api: 'https://api.test' }, fetch, throttle, timeoutMs };
    const client = new EmailPlatform({ ...options, retry: false });
    const request = () => client.request({ method: 'GET', path: '/api/any' });
    await request();
    // It had as long as the request itself has, and 2.5 s more.
    stopMs = timeoutMs + 2_600;
    const error = await rejection(request(), TimeoutError);
    expect(error.message).toContain('too long between its permit and its request');
    expect(error).toMatchObject({ kind: 'attempt', effect: 'none', isRetryable: true });
    expect(error.message).toContain('too long between its permit and its request');
    expect(sent).toHaveLength(1);
    await until(async () => (await permitsInRedis(redis)).size === 0, 'its permit to be given back');
  });

  test('are not used after SIGSTOP and SIGCONT: the service refuses nothing', async () => {
    const limit = { requests: 4, perMs: 1_000 };
    const emulator = createEmulator({ window: 'sliding', limits: { token: limit } });
    const service = await emulator.listen();
    ends.push(() => service.close());
    const kept = relay.keepBackFrom('acquire');
    const worker = new Worker({
      port: relay.port,
      connection: service.clientOptions(),
      limits: { ...tokenOnly, token: limit },
      timeoutMs: 3_000,
      atOnce: 4,
    });
    ends.push(() => {
      worker.goOn();
      return worker.finish();
    });
    // Redis has granted it four permits, and it has not heard of that.
    const passReply = await kept;
    worker.stop();
    passReply();
    const other = new SharingProcess(server, { limits: { ...tokenOnly, token: limit } });
    ends.push(() => other.close());
    const client = new EmailPlatform({ ...service.clientOptions(), throttle: other.throttle, retry: false });
    await Promise.all([1, 2, 3, 4].map(() => client.campaigns.list({ per_page: 1 })));
    worker.goOn();
    await until(() => worker.doneAt.length + worker.failures.length >= 8, 'its first calls');
    await worker.finish();
    expect(worker.failures).toEqual([]);
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
  });
});
