import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hasRedisServer, NO_REDIS, RedisServer } from '../support/redis/redis-server.ts';
import { digits, median, table, type Bench } from './bench.ts';

interface Cost {
  readonly cpuUs: number;
  readonly ms: number;
}

/** The CPU time that a server of Redis has used, in microseconds. */
async function usedBy(server: RedisServer): Promise<number> {
  const client = server.client();
  try {
    const cpu = await client.info('cpu');
    const of = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(cpu)?.[1]);
    return (of('used_cpu_user') + of('used_cpu_sys')) * 1e6;
  } finally {
    client.disconnect();
  }
}

/** Lets so many processes take permits at the same time; a row of the figures. */
async function row(dist: string, processes: number, atATime: number, permits: number): Promise<string[]> {
  const server = await RedisServer.create();
  const program = join(import.meta.dirname, 'programs/permits-growth.mjs');
  const args = [dist, server.url, 'growth', String(permits), String(atATime)];
  const children = Array.from({ length: processes }, () =>
    fork(program, args, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const before = await usedBy(server);
    const costs = await Promise.all(
      children.map(async (child) => {
        const cost = once(child, 'message') as Promise<[Cost]>;
        child.send('take');
        return (await cost)[0];
      }),
    );
    const redisUs = ((await usedBy(server)) - before) / (permits * processes);
    const seconds = Math.max(...costs.map(({ ms }) => ms)) / 1000;
    return [
      `  ${processes} × ${atATime}`,
      `${digits(median(costs.map(({ cpuUs }) => cpuUs)), 0)} µs`,
      `${digits(redisUs, 0)} µs`,
      digits((permits * processes) / seconds, 0),
    ];
  } finally {
    await Promise.all(
      children.map(async (child) => {
        child.disconnect();
        await once(child, 'exit');
      }),
    );
    await server.stop();
  }
}

const bench: Bench = {
  title: 'Growth of shared limits: permits through one Redis, with more processes and with a longer queue',
  async run({ consumer, isSmoke }) {
    if (!hasRedisServer()) return { lines: [`SKIPPED. ${NO_REDIS}`], broken: [] };
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const permits = isSmoke ? 200 : 10_000;
    const rows: string[][] = [
      ['processes × wanted at a time', 'CPU of a permit', 'Redis’s CPU', 'permits a second'],
    ];
    for (const processes of isSmoke ? [1, 2] : [1, 2, 4, 8])
      rows.push(await row(dist, processes, 10, permits));
    for (const atATime of isSmoke ? [100] : [100, 1000, 10_000])
      rows.push(await row(dist, 1, atATime, permits));
    return { lines: table(rows), broken: [] };
  },
};

export default bench;
