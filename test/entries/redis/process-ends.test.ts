import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { permitsInRedis } from '../../support/redis/contents.ts';
import { SharingProcess, tokenOnly, until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { runShortProgram } from '../../support/redis/short-program-order.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

describeWithRedis('a program that neither closes its throttle nor exits', () => {
  let emulator: Emulator;
  let server: Emulator.Server;
  let redis: RedisServer;
  beforeEach(async () => {
    emulator = createEmulator();
    server = await emulator.listen();
    redis = await RedisServer.create();
  });
  afterEach(async () => {
    await server.close();
    await redis.stop();
  });

  const run = (limits: { requests: number; perMs: number }, calls: number, port = redis.port) =>
    runShortProgram({
      port,
      connection: server.clientOptions(),
      limits: { ...tokenOnly, token: limits },
      calls,
    });

  test('exits when its calls are done, and Redis has the time at which each permit is returned', async () => {
    const limits = { requests: 4, perMs: 30_000 };
    const { output, ms } = await run(limits, 3);
    expect(output).toBe('3 responses\n');
    // Its permits are in use for another half a minute.
    expect(ms).toBeLessThan(10_000);
    const client = redis.client();
    const due = [...(await permitsInRedis(client)).values()];
    client.disconnect();
    expect(due).toHaveLength(3);
    // Permits are taken for 61 s, because the timeout is 30 s; after each response Redis was sent an earlier time.
    for (const ms of due) {
      expect(ms).toBeGreaterThan(15_000);
      expect(ms).toBeLessThanOrEqual(30_000);
    }
    const other = new SharingProcess(redis, { limits: { ...tokenOnly, token: limits } });
    const last = await other.ask({ key: { token: server.clientOptions().token } });
    last.end('neverSent');
    expect(other.throttle.snapshot({ token: server.clientOptions().token }).token?.used).toBe(3);
    await other.close();
  });

  test('stays alive while calls are queued', async () => {
    const { output } = await run({ requests: 2, perMs: 800 }, 5);
    expect(output).toBe('5 responses\n');
    expect(emulator.requests).toHaveLength(5);
  });

  test('exits without Redis as well', async () => {
    await redis.stop();
    const { output, ms } = await run({ requests: 2, perMs: 800 }, 3);
    expect(output).toBe('3 responses\n');
    expect(ms).toBeLessThan(10_000);
  });

  test('exits after Redis was lost while calls were queued', async () => {
    const program = run({ requests: 2, perMs: 800 }, 5);
    await until(() => emulator.requests.length >= 2, 'the first two calls');
    await redis.stop();
    const { output, ms } = await program;
    expect(output).toBe('5 responses\n');
    expect(ms).toBeLessThan(10_000);
  });

  test('is not kept alive by a Redis that accepts connections and never replies', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const { output, afterwardsMs } = await run({ requests: 2, perMs: 800 }, 0, port);
    expect(output).toBe('0 responses\n');
    // Waiting for its first two commands would take two seconds each.
    expect(afterwardsMs).toBeLessThan(1_500);
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  test('is not kept alive by a Redis that stops replying', async () => {
    const limits = { requests: 2, perMs: 800 };
    const program = run(limits, 5);
    await until(() => emulator.requests.length >= 2, 'the first two calls');
    redis.hang();
    const { output, ms } = await program;
    expect(output).toBe('5 responses\n');
    expect(ms).toBeLessThan(10_000);
    redis.resume();
  });
});
