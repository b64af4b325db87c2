import { EmailPlatform, type Throttle } from 'email-platform';
import { redisThrottle, type RedisThrottle, type RedisThrottleOptions } from 'email-platform/redis';
import { Redis } from 'ioredis';
import type { Same } from './same.ts';

export async function sharedByProcesses(): Promise<unknown[]> {
  const redis = new Redis('redis://127.0.0.1:6379');
  const throttle = redisThrottle({ redis });
  const type: Same<typeof throttle, RedisThrottle> = true;
  const asAny: Throttle = throttle;
  const options: RedisThrottleOptions = {
    redis,
    prefix: 'shop',
    limits: { token: { requests: 100, perMs: 10_000 }, stats: false },
    processes: 4,
    tokenName: 'main',
    onStatus: ({ degraded, cause }) => [degraded satisfies boolean, cause satisfies Error | undefined],
  };
  const client = new EmailPlatform({ token: 'a-token', throttle: redisThrottle(options) });
  const isDegraded: boolean = throttle.isDegraded;
  await throttle.close();

  // @ts-expect-error a Redis client is required
  const none = redisThrottle({});
  // @ts-expect-error a URL is not a Redis client
  const address = redisThrottle({ redis: 'redis://127.0.0.1:6379' });
  // @ts-expect-error no such option
  const unknown = redisThrottle({ redis, pace: 'even' });
  return [type, asAny, client.withOptions({ throttle }), isDegraded, none, address, unknown];
}
