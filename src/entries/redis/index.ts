/**
 * A throttle whose limits many processes share through Redis.
 *
 * @module email-platform/redis
 */

export { redisThrottle, type RedisThrottle } from './redis-throttle.ts';
export type { RedisClient } from './connection.ts';
export type { RedisThrottleOptions, RedisThrottleStatus } from './options.ts';
export type { PoolName, RateLimit, ThrottleLimits } from '../../core/limits.ts';
export type { Throttle } from '../../throttle/throttle.ts';
