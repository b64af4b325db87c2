/**
 * A throttle over limiters of Bottleneck.
 * @module email-platform/bottleneck
 */
export { bottleneckThrottle } from './bottleneck-throttle.ts';
export type { BottleneckPool, BottleneckPools } from './options.ts';
export type { PoolName, RateLimit } from '../../core/limits.ts';
export type { Throttle } from '../../throttle/throttle.ts';
