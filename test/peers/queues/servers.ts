import { describe } from 'vitest';
import { missingPostgres, PostgresServer } from '../../support/postgres-server.ts';
import { hasRedisServer, NO_REDIS, RedisServer } from '../../support/redis/redis-server.ts';

const missing = missingPostgres() ?? (hasRedisServer() ? undefined : NO_REDIS);
if (missing !== undefined) process.stderr.write(`\n*** The tests of queues are SKIPPED. ${missing}\n\n`);

/** Tests that need a Redis and a Postgres: skipped with a message if one of them is not there. */
export const describeWithServers = describe.skipIf(missing !== undefined);

/** What queues and journals are kept in. */
export class Servers {
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;

  private constructor(redis: RedisServer, postgres: PostgresServer) {
    this.redis = redis;
    this.postgres = postgres;
  }

  static async start(): Promise<Servers> {
    const [redis, postgres] = await Promise.all([RedisServer.create(), PostgresServer.create()]);
    return new Servers(redis, postgres);
  }

  async stop(): Promise<void> {
    await Promise.all([this.redis.stop(), this.postgres.close()]);
  }
}
