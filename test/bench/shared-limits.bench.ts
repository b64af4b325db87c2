import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasRedisServer, NO_REDIS, RedisServer } from '../support/redis/redis-server.ts';
import { figure, ratios, table, type Bench } from './bench.ts';

interface Turn {
  readonly atATime: number;
  readonly name: string;
  readonly perSecond: number;
}

const bench: Bench = {
  title:
    'Shared limits: permits a second through one Redis, by limiters in turn; medians over the rounds, ± their spread',
  async run({ root, consumer, isSmoke }) {
    if (!hasRedisServer()) return { lines: [`SKIPPED. ${NO_REDIS}`], broken: [] };
    const server = await RedisServer.create();
    try {
      const dist = join(consumer, 'node_modules/email-platform/dist');
      const program = join(import.meta.dirname, 'programs/shared-limits.mjs');
      const [rounds, permits] = isSmoke ? ['2', '100'] : ['15', '2000'];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [program, dist, server.url, rounds, permits],
        { cwd: root, maxBuffer: 2 ** 24 },
      );
      const turns = JSON.parse(stdout) as Turn[];
      const rows = [1, 100].flatMap((atATime) => {
        const of = (wanted: string) =>
          turns
            .filter((turn) => turn.atATime === atATime && turn.name === wanted)
            .map((turn) => turn.perSecond);
        const ours = of('this package');
        const names = [...new Set(turns.map(({ name }) => name))];
        return [
          [`${atATime} wanted at a time`, 'permits a second', '× this package'],
          ...names.map((name) => [`  ${name}`, figure(of(name), 0), figure(ratios(of(name), ours), 2)]),
        ];
      });
      return {
        lines: [
          ...table(rows),
          '',
          'Ours also tells Redis when each permit ends; the others count a request once, and forget it.',
        ],
        broken: [],
      };
    } finally {
      await server.stop();
    }
  },
};

export default bench;
