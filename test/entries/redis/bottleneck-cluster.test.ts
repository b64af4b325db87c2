import Bottleneck from 'bottleneck';
import { ConfigurationError, EmailPlatform } from 'email-platform';
import { bottleneckThrottle } from 'email-platform/bottleneck';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

const limit = { requests: 30, perMs: 1_000 };

describeWithRedis('limiters of Bottleneck that are clustered', () => {
  let server: RedisServer;
  let emulator: Emulator;
  let open: Bottleneck[] = [];
  beforeEach(async () => {
    server = await RedisServer.create();
    emulator = createEmulator({ window: 'sliding', limits: { token: limit } });
  });
  afterEach(async () => {
    await Promise.all(open.map((limiter) => limiter.disconnect(false)));
    open = [];
    await server.stop();
  });

  /** A limiter as a separate process would create it. */
  async function clustered(maxConcurrent: number, id = 'token'): Promise<Bottleneck> {
    const limiter = new Bottleneck({
      id,
      datastore: 'ioredis',
      Redis,
      clientOptions: { port: server.port, host: '127.0.0.1', maxRetriesPerRequest: 1 },
      maxConcurrent,
    });
    limiter.on('error', () => undefined);
    open.push(limiter);
    await limiter.ready();
    return limiter;
  }

  function clientOver(limiter: Bottleneck): EmailPlatform {
    const throttle = bottleneckThrottle({ token: { limiter, release: 'window', limit } });
    return new EmailPlatform({ ...emulator.clientOptions(), throttle });
  }

  test('processes that share only limiters are not refused by a sliding window', async () => {
    const id = emulator.campaigns.add();
    const clients = [clientOver(await clustered(30)), clientOver(await clustered(30))];
    const calls = clients.flatMap((client) => Array.from({ length: 50 }, () => client.campaigns.get(id)));
    await Promise.all(calls);
    expect(emulator.requests.map(({ status }) => status)).toEqual(new Array(100).fill(200));
  });

  test('the settings of the limiter created first are the ones checked', async () => {
    await clustered(31);
    const error = await rejection(clientOver(await clustered(30)).campaigns.get(1), ConfigurationError);
    expect(error.message).toContain('maxConcurrent is not 30');
  });

  test('jobs expire after their process was killed, but only when their requests must have ended', async () => {
    const [token, logs] = [await clustered(30), await clustered(30, 'logs')];
    const pool = { release: 'window', limit } as const;
    const throttle = bottleneckThrottle({
      token: { ...pool, limiter: token },
      emailLogsList: { ...pool, limiter: logs },
    });
    const client = new EmailPlatform({ ...emulator.clientOptions(), throttle, timeoutMs: 5_000 });
    const expirations: unknown[] = [];
    for (const limiter of [token, logs])
      limiter.on('scheduled', ({ options }) => expirations.push(options.expiration));
    await client.emailLogs.list();
    // Twice the timeout, a window, and some time more; the account's job may have to wait for the token's.
    expect(expirations).toEqual([2 * 5_000 + 1_000 + 600_000, 2 * 5_000 + 1_000 + 30_000]);
  });

  test('without Redis a call fails with an error that says so', async () => {
    const client = clientOver(await clustered(30));
    await client.campaigns.list();
    await server.stop();
    const error = await rejection(client.campaigns.get(1), ConfigurationError);
    expect(error).toMatchObject({ option: 'token.limiter', effect: 'none', request: { attempts: 0 } });
    expect(error.cause).toMatchObject({ name: 'MaxRetriesPerRequestError' });
  });
});
