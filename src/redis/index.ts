export { redisThrottle, type RedisThrottle } from './redis-throttle.ts';
export type { RedisClient } from './connection.ts';
export type { RedisThrottleOptions, RedisThrottleStatus } from './options.ts';
export type {
  AccountPoolName,
  Permit,
  PermitRequest,
  PlaceInLine,
  PoolName,
  PoolSnapshot,
  Priority,
  RateLimit,
  Throttle,
  ThrottleKey,
  ThrottleLimits,
  ThrottleSnapshot,
  ThrottleWait,
} from '../core/throttle.ts';
