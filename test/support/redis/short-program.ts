/**
 * A program as one is written in a hurry: it calls, is done, and neither closes its throttle nor exits. It prints what it
 * got. Its order is its argument, as JSON.
 */
import { Redis } from 'ioredis';
import { EmailPlatform } from '../../../src/index.ts';
import { redisThrottle } from '../../../src/redis/index.ts';
import type { ShortOrder } from './short-program-order.ts';

const { port, connection, limits, calls } = JSON.parse(process.argv[2] ?? '') as ShortOrder;
// Only to be duplicated: it connects when it is used, and so never does.
const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true });
const client = new EmailPlatform({ ...connection, throttle: redisThrottle({ redis, limits, processes: 1 }) });
await Promise.all(Array.from({ length: calls }, () => client.campaigns.list({ per_page: 1 })));
process.stdout.write(`${calls} answers\n`);
