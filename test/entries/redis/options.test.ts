import { ConfigurationError } from 'email-platform';
import { redisThrottle, type RedisThrottleOptions } from 'email-platform/redis';
import { expect, test } from 'vitest';
import { thrown } from '../../support/expect-error.ts';

/** The parts of an ioredis client that are checked before it is used. */
const redis = { duplicate: () => undefined, defineCommand: () => undefined };

test.each<[string, unknown]>([
  ['redis', {}],
  ['redis', { redis: undefined }],
  ['redis', { redis: null }],
  ['redis', { redis: 'redis://127.0.0.1:6379' }],
  ['redis', { redis: { host: '127.0.0.1', port: 6379 } }],
  // The client of the package `redis`.
  ['redis', { redis: { duplicate: () => undefined, sendCommand: () => undefined } }],
  ['redis', { redis: { ...redis, isCluster: true } }],
  ['options', undefined],
  ['options', redis.duplicate],
  ['pace', { redis, pace: 'even' }],
  ['windows', { redis, windows: 'aligned' }],
  ['client', { redis, client: redis }],
  ['prefix', { redis, prefix: '' }],
  ['prefix', { redis, prefix: 'a key' }],
  ['prefix', { redis, prefix: 7 }],
  ['limits.tokens', { redis, limits: { tokens: false } }],
  ['limits.token.requests', { redis, limits: { token: { requests: 0, perMs: 1 } } }],
  ['processes', { redis, processes: 0 }],
  ['processes', { redis, processes: 1.5 }],
  ['processes', { redis, processes: '4' }],
  ['tokenName', { redis, tokenName: '' }],
  ['onStatus', { redis, onStatus: 'log' }],
])('a wrong %s is refused, and the error names it: %j', (option, options) => {
  const error = thrown(() => redisThrottle(options as RedisThrottleOptions), ConfigurationError);
  expect(error.option).toBe(option);
  expect(error.message).toContain(option);
});

test('for an address, the error says that a client is expected', () => {
  const options = { redis: 'redis://user:secret@127.0.0.1:6379' } as unknown as RedisThrottleOptions;
  const { message } = thrown(() => redisThrottle(options), ConfigurationError);
  expect(message).toBe('redis must be an ioredis client: new Redis(url)');
});

test('for the client alone, the error shows the options', () => {
  const { message } = thrown(() => redisThrottle(redis as never), ConfigurationError);
  expect(message).toBe('options must be an object with the client: pass { redis }');
});

test('for aligned windows, the error says which rule a shared throttle has', () => {
  const options = { redis, windows: 'aligned' } as unknown as RedisThrottleOptions;
  const { message } = thrown(() => redisThrottle(options), ConfigurationError);
  expect(message).toBe(
    'windows is not an option of redisThrottle, whose permits return by the rule for unknown windows',
  );
});
