import { describe } from 'vitest';
import { hasRedisServer, NO_REDIS } from './redis-server.ts';

const isHere = hasRedisServer();

if (!isHere) process.stderr.write(`\n*** The Redis tests are SKIPPED. ${NO_REDIS}\n\n`);

/** Tests that need a Redis: skipped with a message if there is no redis-server. */
export const describeWithRedis = describe.skipIf(!isHere);
