/**
 * A short program: it makes calls and prints their number, but neither closes its throttle nor calls `process.exit()`.
 * Its input is its argument, as JSON.
 */
import { Redis } from 'ioredis';
import { EmailPlatform } from '../../../src/index.ts';
import { redisThrottle } from '../../../src/entries/redis/index.ts';
import type { ShortOrder } from './short-program-order.ts';

const { port, connection, limits, calls } = JSON.parse(process.argv[2] ?? '') as ShortOrder;
// Only duplicated by the throttle: because of `lazyConnect` it never connects itself.
const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true });
const client = new EmailPlatform({ ...connection, throttle: redisThrottle({ redis, limits, processes: 1 }) });
await Promise.all(Array.from({ length: calls }, () => client.campaigns.list({ per_page: 1 })));
process.stdout.write(`${calls} responses\n`);
