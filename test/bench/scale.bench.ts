import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, figure, median, table, type Bench } from './bench.ts';

interface Tenants {
  readonly madeUs: number;
  readonly sentUs: number;
}

interface Batches {
  readonly mailsPerSecond: number;
  readonly cpuUs: number;
  /** The most bytes of the heap that were in use, without garbage. */
  readonly most: number;
}

/** With the most tenants, a call may cost this many times as much as with a thousand. */
const MAX_GROWTH = 2;

const bench: Bench = {
  title:
    'Scale: many tenants that wait on one throttle, and batchAll of very many emails; medians over the rounds, ± their spread',
  async run({ consumer, isSmoke }) {
    const entry = join(consumer, 'node_modules/email-platform/dist/index.js');
    const rounds = isSmoke ? 1 : 7;
    const run = async (program: string, count: number): Promise<unknown> => {
      const path = join(import.meta.dirname, 'programs', program);
      const args = ['--expose-gc', path, entry, String(count), String(rounds)];
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
    };
    const tenants: string[][] = [['CPU of a call', 'to be made', 'to be sent']];
    const costs = new Map<number, number>();
    for (const count of isSmoke ? [100] : [10, 1000, 10_000, 30_000]) {
      const all = (await run('tenants.mjs', count)) as Tenants[];
      costs.set(count, median(all.map(({ madeUs, sentUs }) => madeUs + sentUs)));
      const of = (part: keyof Tenants) =>
        figure(
          all.map((round) => round[part]),
          0,
          'µs',
        );
      tenants.push([`  ${count} tenants, 3 calls each`, of('madeUs'), of('sentUs')]);
    }
    const batches: string[][] = [
      ['batchAll, to a service in memory', 'emails a second', 'CPU of an email', 'most memory'],
    ];
    for (const count of isSmoke ? [2000] : [100_000, 1_000_000]) {
      const all = (await run('batch-all.mjs', count)) as Batches[];
      const of = (part: keyof Batches, unit: string, by = 1) =>
        figure(
          all.map((round) => round[part] / by),
          part === 'mailsPerSecond' ? 0 : 1,
          unit,
        );
      batches.push([`  ${count} emails`, of('mailsPerSecond', ''), of('cpuUs', 'µs'), of('most', 'MB', 1e6)]);
    }
    const growth = (costs.get(30_000) ?? NaN) / (costs.get(1000) ?? NaN);
    const broken =
      growth > MAX_GROWTH
        ? [
            `a call costs ${digits(growth, 2)} × as much with 30 000 tenants as with 1000 (at most ${MAX_GROWTH})`,
          ]
        : [];
    return { lines: [...table(tenants), '', ...table(batches)], broken };
  },
};

export default bench;
