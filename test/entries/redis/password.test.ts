import { Redis } from 'ioredis';
import { redisThrottle, type RedisThrottleStatus } from 'email-platform/redis';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { until } from '../../support/redis/process.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { describeWithRedis } from '../../support/redis/with-redis.ts';

const PASSWORD = 'the-wrong-password-for-redis';

describeWithRedis('A password that Redis refuses', () => {
  test('is not in what onStatus is told: the error of ioredis holds the arguments of AUTH', async () => {
    const server = await RedisServer.create();
    const admin = server.client();
    await admin.config('SET', 'requirepass', 'the-right-one');
    const redis = new Redis(server.port, '127.0.0.1', { password: PASSWORD, lazyConnect: true });
    const raw: unknown[] = [];
    redis.on('error', (error) => raw.push(error));
    const statuses: RedisThrottleStatus[] = [];
    const throttle = redisThrottle({ redis, onStatus: (status) => statuses.push(status) });
    try {
      await redis.connect().catch((error: unknown) => raw.push(error));
      expect(inspect(raw, { depth: 9 })).toContain(PASSWORD);
      await until(() => statuses.some(({ cause }) => cause !== undefined), 'a status with a cause');
      const told = statuses.map(({ cause }) => cause);
      expect(inspect(told, { depth: 9, showHidden: true })).not.toContain(PASSWORD);
      expect(JSON.stringify(told)).not.toContain(PASSWORD);
    } finally {
      await throttle.close();
      redis.disconnect();
      admin.disconnect();
      await server.stop();
    }
  });
});
