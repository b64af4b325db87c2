/**
 * Four worker processes with one token: first each paces itself without knowing of the others, then they share the
 * limit through Redis.
 *
 *     npx tsx examples/workers-sharing-redis.ts redis://127.0.0.1:6379
 *
 * The address may also be in REDIS_URL. In a project of your own: npm install bottleneck ioredis
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createThrottle, EmailPlatform } from 'email-platform';
import { redisThrottle } from 'email-platform/redis';
import { type Emulator, createEmulator } from 'email-platform/testing';
import { Redis } from 'ioredis';
import { green, heading, line, red, row } from './print.ts';

/** The service's own limit is 150 requests in 10 seconds; a smaller one makes this quick. */
const limits = { token: { requests: 30, perMs: 1_000 } };
const WORKERS = 4;
const CALLS = 15;

interface Order {
  readonly redisUrl: string;
  readonly connection: Emulator.Connection;
  readonly isSharing: boolean;
}

/** A worker makes its calls, and leaves the pacing to the client. */
async function work({ redisUrl, connection, isSharing }: Order): Promise<void> {
  // The throttle only duplicates this client. With `lazyConnect` the client itself opens no connection.
  const throttle = isSharing
    ? redisThrottle({ redis: new Redis(redisUrl, { lazyConnect: true }), prefix: 'example', limits })
    : createThrottle({ limits });
  const client = new EmailPlatform({ ...connection, throttle });

  await Promise.all(Array.from({ length: CALLS }, () => client.campaigns.list({ per_page: 1 })));
  process.send?.({ isDegraded: 'isDegraded' in throttle && throttle.isDegraded });
  process.disconnect();
}

/** Starts an emulator and the workers, and prints what it received. */
async function lead(redisUrl: string, isSharing: boolean): Promise<void> {
  const emulator = createEmulator({ limits, window: 'sliding' });
  const server = await emulator.listen();
  const connection = server.clientOptions();

  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, index) => {
      const worker = fork(fileURLToPath(import.meta.url));
      worker.send({ redisUrl, connection, isSharing } satisfies Order);
      const [report] = (await once(worker, 'message')) as [{ readonly isDegraded: boolean }];
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      row(`worker ${index + 1}`, `${CALLS} calls answered after ${seconds} s`);
      if (report.isDegraded) line('It could not reach Redis, and kept to its own share of the limit.');
      await once(worker, 'exit');
    }),
  );
  const refused = emulator.requests.filter(({ status }) => status === 429).length;
  row('requests', emulator.requests.length);
  row('refused', refused === 0 ? green('0') : red(`${refused}, and retried when the service said so`));
  await server.close();
}

const redisUrl = process.argv[2] ?? process.env.REDIS_URL;
if (process.send !== undefined) {
  process.once('message', (order: Order) => void work(order));
} else if (redisUrl === undefined) {
  console.log('This one needs a Redis: npx tsx examples/workers-sharing-redis.ts redis://127.0.0.1:6379');
} else {
  const { requests, perMs } = limits.token;
  line(`${WORKERS} workers, ${CALLS} calls each; the limit is ${requests} requests in ${perMs / 1000} s.`);
  heading('Each paces itself');
  await lead(redisUrl, false);
  heading('All share the limit through Redis');
  await lead(redisUrl, true);
}
