/**
 * One of several processes that share a token. It receives its input from the process that started it, and reports each
 * call that succeeded or failed.
 */
import { Redis } from 'ioredis';
import { EmailPlatform } from '../../../src/index.ts';
import { redisThrottle } from '../../../src/entries/redis/index.ts';
import { withSteppedClock } from './stepped-clock.ts';
import type { WorkerOrder, WorkerReport } from './workers.ts';

process.once('message', (order: WorkerOrder) => void work(order));
// The process that started it is gone.
const orphaned = () => process.exit(1);
process.once('disconnect', orphaned);

async function work({
  port,
  connection,
  limits,
  timeoutMs,
  atOnce,
  processes,
  busyMs,
  hasSteppedClock = false,
}: WorkerOrder): Promise<void> {
  const redis = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  const report = (message: WorkerReport) => process.send?.(message);
  process.on('unhandledRejection', (error) =>
    report({ kind: 'failed', error: `unhandled: ${String(error)}` }),
  );
  const throttle = redisThrottle({
    redis: hasSteppedClock ? withSteppedClock(redis) : redis,
    limits,
    ...(processes !== undefined && { processes }),
    onStatus: ({ degraded }) => report({ kind: 'status', degraded }),
  });
  const client = new EmailPlatform({
    ...connection,
    throttle,
    timeoutMs,
    // Refusals have to be reported, not retried.
    retry: false,
  });
  let isOver = false;
  process.on('message', () => (isOver = true));

  async function call(): Promise<void> {
    while (!isOver) {
      try {
        await client.campaigns.list({ per_page: 1 });
        report({ kind: 'done' });
      } catch (error) {
        report({ kind: 'failed', error: String(error) });
      }
    }
  }

  if (busyMs !== undefined) void beBusy(busyMs, () => isOver);
  await Promise.all(Array.from({ length: atOnce }, call));
  await throttle.close();
  redis.disconnect();
  report({ kind: 'over' });
  process.off('disconnect', orphaned);
  process.disconnect();
}

/** Blocks the event loop for `ms` milliseconds, again and again, with ten milliseconds between. */
async function beBusy(ms: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const end = performance.now() + ms;
    while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
