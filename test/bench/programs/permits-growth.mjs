// Takes permits of a limit that processes share through Redis, when its parent says so, and sends the parent what they cost.
// Arguments: the folder of the built package, Redis's URL, a prefix, permits, how many are wanted at a time.
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';

const [dist, url, prefix, permits, atATime] = process.argv.slice(2);
const { redisThrottle } = await import(pathToFileURL(`${dist}/redis/index.js`).href);

const redis = new Redis(url, { maxRetriesPerRequest: null });
// No limit is reached: the figure is the way to a permit, not the wait for one.
const limits = { token: { requests: 10_000_000, perMs: 10_000 } };
const throttle = redisThrottle({ redis, prefix, processes: 1, limits });

async function take() {
  const permit = throttle.acquire({
    key: { token: 'token' },
    pool: undefined,
    priority: 'normal',
    isRetry: false,
    timeoutMs: 120_000,
    onWait: undefined,
  });
  if (permit.state === 'waiting')
    await new Promise((resolve, reject) => (permit.waiter = { resolve, reject }));
  permit.end('neverSent');
}

async function run(count) {
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await take();
    }
  };
  await Promise.all(Array.from({ length: Number(atATime) }, one));
}

await run(2 * Number(atATime));
process.on('message', async () => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run(Number(permits));
  const { user, system } = process.cpuUsage(cpu);
  process.send({ cpuUs: (user + system) / Number(permits), ms: performance.now() - start });
});
process.on('disconnect', async () => {
  await throttle.close();
  redis.disconnect();
  process.exit();
});
process.send('ready');
