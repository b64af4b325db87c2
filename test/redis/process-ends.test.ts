import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createEmulator, type Emulator, type EmulatorServer } from 'email-platform/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { permitsInRedis } from '../support/redis/contents.ts';
import { SharingProcess, tokenOnly, until } from '../support/redis/process.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { runShortProgram } from '../support/redis/short-program-order.ts';
import { describeWithRedis } from '../support/redis/with-redis.ts';

describeWithRedis('a program that neither closes its throttle nor exits', { timeout: 30_000 }, () => {
  let emulator: Emulator;
  let server: EmulatorServer;
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

  test('ends when its work is done, and Redis knows when its permits come back', async () => {
    const limits = { requests: 4, perMs: 30_000 };
    const { output, ms } = await run(limits, 3);
    expect(output).toBe('3 answers\n');
    // Its permits are out for another half a minute.
    expect(ms).toBeLessThan(10_000);
    const client = redis.client();
    const due = [...(await permitsInRedis(client)).values()];
    client.disconnect();
    expect(due).toHaveLength(3);
    // With its timeout of 30 s a permit was taken for 61 s; Redis was told of each response.
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

  test('lives as long as calls are in line', async () => {
    const { output } = await run({ requests: 2, perMs: 800 }, 5);
    expect(output).toBe('5 answers\n');
    expect(emulator.requests).toHaveLength(5);
  });

  test('ends without Redis as well', async () => {
    await redis.stop();
    const { output, ms } = await run({ requests: 2, perMs: 800 }, 3);
    expect(output).toBe('3 answers\n');
    expect(ms).toBeLessThan(10_000);
  });

  test('ends after it has lost Redis while calls were in line', async () => {
    const program = run({ requests: 2, perMs: 800 }, 5);
    await until(() => emulator.requests.length >= 2, 'the first two calls');
    await redis.stop();
    const { output, ms } = await program;
    expect(output).toBe('5 answers\n');
    expect(ms).toBeLessThan(10_000);
  });

  test('is not held by a Redis that accepts connections and says nothing', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const { output, afterwardsMs } = await run({ requests: 2, perMs: 800 }, 0, port);
    expect(output).toBe('0 answers\n');
    // A command is waited for two seconds, and there are two before anything else can be asked.
    expect(afterwardsMs).toBeLessThan(1_500);
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  test('nor by one that has fallen silent', async () => {
    const limits = { requests: 2, perMs: 800 };
    const program = run(limits, 5);
    await until(() => emulator.requests.length >= 2, 'the first two calls');
    redis.hang();
    const { output, ms } = await program;
    expect(output).toBe('5 answers\n');
    expect(ms).toBeLessThan(10_000);
    redis.resume();
  });
});
