// Permits of limits that processes share through Redis, by our throttle and by other limiters, in turn. Prints as JSON how
// many each gave out in a second. Arguments: the folder of the built package, Redis's URL, rounds, permits a turn.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import Bottleneck from 'bottleneck';
import { Redis } from 'ioredis';

const [dist, url, rounds, permits] = process.argv.slice(2);
const { redisThrottle } = await import(pathToFileURL(`${dist}/redis/index.js`).href);
const { RateLimiterRedis } = createRequire(new URL('../../peers/limiters/package.json', import.meta.url))(
  'rate-limiter-flexible',
);

/** No limit is reached: what is compared is the way to a permit, not the wait for one. */
const MANY = 1_000_000;

const redis = new Redis(url, { maxRetriesPerRequest: null });
const throttleOf = (prefix) => {
  const throttle = redisThrottle({
    redis,
    prefix,
    processes: 1,
    limits: { token: { requests: MANY, perMs: 10_000 } },
  });
  return {
    async take() {
      const permit = throttle.acquire({
        key: { token: 'token' },
        pool: undefined,
        priority: 'normal',
        isRetry: false,
        timeoutMs: 30_000,
        onWait: undefined,
      });
      if (permit.state === 'waiting')
        await new Promise((resolve, reject) => (permit.waiter = { resolve, reject }));
      permit.end('neverSent');
    },
    close: () => throttle.close(),
  };
};
const flexible = new RateLimiterRedis({
  storeClient: redis,
  points: MANY,
  duration: 10,
  keyPrefix: 'flexible',
});
const limiter = new Bottleneck({
  id: 'bench',
  datastore: 'ioredis',
  clearDatastore: true,
  Redis,
  clientOptions: { port: Number(new URL(url).port), host: '127.0.0.1' },
  reservoir: MANY,
  reservoirRefreshAmount: MANY,
  reservoirRefreshInterval: 10_000,
});
await limiter.ready();

const contestants = {
  'this package': throttleOf('ours'),
  'this package again': throttleOf('again'),
  'rate-limiter-flexible': { take: () => flexible.consume('token'), close: () => undefined },
  'Bottleneck, clustered': {
    take: () => limiter.schedule(() => Promise.resolve()),
    close: () => limiter.disconnect(),
  },
};

/** Permits a second, when so many are wanted at a time. */
async function turn({ take }, atATime) {
  const start = performance.now();
  let left = Number(permits);
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await take();
    }
  };
  await Promise.all(Array.from({ length: atATime }, one));
  return Number(permits) / ((performance.now() - start) / 1000);
}

const results = [];
const entries = Object.entries(contestants);
for (const atATime of [1, 100]) {
  for (const [, contestant] of entries) await turn(contestant, atATime);
  for (let round = 0; round < Number(rounds); round += 1) {
    for (let place = 0; place < entries.length; place += 1) {
      const [name, contestant] = entries[(place + round) % entries.length];
      results.push({ atATime, name, round, perSecond: await turn(contestant, atATime) });
    }
  }
}
for (const [, { close }] of entries) await close();
redis.disconnect();
process.stdout.write(JSON.stringify(results));
