import type { Redis } from 'ioredis';

/** A key and its content. */
export interface StoredKey {
  readonly name: string;
  readonly text: string;
  /** -1 if it never expires. */
  readonly msToLive: number;
}

/** Everything in Redis. */
export async function dumpRedis(redis: Redis): Promise<StoredKey[]> {
  const names = await redis.keys('*');
  return Promise.all(
    names.map(async (name) => ({ name, text: await textOf(redis, name), msToLive: await redis.pttl(name) })),
  );
}

async function textOf(redis: Redis, name: string): Promise<string> {
  const kind = await redis.type(name);
  if (kind === 'hash') return JSON.stringify(await redis.hgetall(name));
  if (kind === 'zset') return JSON.stringify(await redis.zrange(name, 0, '-1', 'WITHSCORES'));
  if (kind === 'string') return (await redis.get(name)) ?? '';
  throw new Error(`${name} is a ${kind}`);
}

/** The scripts' current time: the shared time of the last script, plus the time since then. */
async function sharedTime(redis: Redis): Promise<number> {
  const [seconds, micros] = (await redis.time()) as [number, number];
  const read = seconds * 1000 + Math.floor(micros / 1000);
  const [clock] = await redis.keys('*:clock');
  const last = clock === undefined ? {} : await redis.hgetall(clock);
  return Number(last.time ?? read) + read - Number(last.read ?? read);
}

/** The permits in use: their ids, and the milliseconds until each returns. */
export async function permitsInRedis(redis: Redis): Promise<ReadonlyMap<string, number>> {
  const now = await sharedTime(redis);
  const permits = new Map<string, number>();
  for (const name of await redis.keys('*:permits')) {
    const found = await redis.zrangebyscore(name, now, '+inf', 'WITHSCORES');
    for (let index = 0; index < found.length; index += 2)
      permits.set(found[index] ?? '', Number(found[index + 1]) - now);
  }
  return permits;
}

/** The number of permits of each process, sorted. A permit's id begins with its process's id. */
export async function heldInRedis(redis: Redis): Promise<number[]> {
  const held = new Map<string, number>();
  for (const id of (await permitsInRedis(redis)).keys()) {
    const process = id.slice(0, id.indexOf(':'));
    held.set(process, (held.get(process) ?? 0) + 1);
  }
  return [...held.values()].sort((one, other) => one - other);
}

/** Deletes the permits in use from Redis, as when a replica takes over before it has received them. */
export async function forgetPermits(redis: Redis): Promise<void> {
  for (const name of await redis.keys('*:permits')) await redis.del(name);
}

/** The number of processes registered in Redis. */
export async function processesInRedis(redis: Redis): Promise<number> {
  const [name] = await redis.keys('*:processes');
  return name === undefined ? 0 : redis.zcard(name);
}
