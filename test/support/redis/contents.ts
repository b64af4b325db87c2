import type { Redis } from 'ioredis';

/** A key with everything it holds. */
export interface StoredKey {
  readonly name: string;
  readonly text: string;
  /** -1 when it lives for ever. */
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
  if (kind === 'zset') return JSON.stringify(await redis.zrange(name, 0, -1, 'WITHSCORES'));
  if (kind === 'string') return (await redis.get(name)) ?? '';
  throw new Error(`${name} is a ${kind}`);
}

/** The permits out, by the name of the job that stands for each: who holds it. */
export async function jobsInRedis(redis: Redis): Promise<Readonly<Record<string, string>>> {
  const [name] = await redis.keys('*_job_clients');
  return name === undefined ? {} : redis.hgetall(name);
}

/** Has Redis forget the permits that are out, as a replica that took over before it heard of them. */
export async function forgetJobs(redis: Redis): Promise<void> {
  const [settings = ''] = await redis.keys('*_settings');
  const key = (name: string) => settings.replace(/settings$/, name);
  const jobs = Object.entries(await jobsInRedis(redis));
  const forgetting = redis.multi().hincrby(settings, 'running', -jobs.length);
  for (const [job, holder] of jobs) {
    forgetting.hdel(key('job_clients'), job).hdel(key('job_weights'), job).zrem(key('job_expirations'), job);
    forgetting.zincrby(key('client_running'), -1, holder);
  }
  await forgetting.exec();
}

/** How many permits each process waits for, as Redis believes. */
export async function waitingInRedis(redis: Redis): Promise<number[]> {
  const [name] = await redis.keys('*_client_num_queued');
  return name === undefined ? [] : (await redis.hvals(name)).map(Number);
}

/** When permits end by themselves, on the wall clock. */
export async function expirationsInRedis(redis: Redis): Promise<number[]> {
  const [name = ''] = await redis.keys('*_job_expirations');
  const all = await redis.zrange(name, 0, -1, 'WITHSCORES');
  return all.filter((_, index) => index % 2 === 1).map(Number);
}

/** How many permits each process holds that holds any. */
export async function heldInRedis(redis: Redis): Promise<number[]> {
  const holders = Object.values(await jobsInRedis(redis));
  return [...new Set(holders)].map((holder) => holders.filter((other) => other === holder).length);
}
