import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databasesHere } from '../support/databases.ts';
import { digits, median, table, type Bench } from './bench.ts';

/** The most that a call may cost through a client that has a journal and is given no key, as a multiple of one without. */
const CEILING = 1.15;

const WITHOUT = 'no journal';

/** What a call cost in one turn. */
interface Turn {
  readonly scenario: string;
  readonly name: string;
  readonly round: number;
  readonly wallUs: number;
  readonly cpuUs: number;
}

const program = (name: string) => join(import.meta.dirname, 'programs', name);
const milliseconds = (us: number) => `${digits(us / 1_000, 2)} ms`;

/** A contestant's costs, and these as multiples of those without a journal in the same round. */
function costsOf(turns: readonly Turn[], scenario: string, name: string) {
  const of = (who: string) => turns.filter((turn) => turn.scenario === scenario && turn.name === who);
  const others = of(WITHOUT);
  const own = of(name);
  const ratios = own
    .map(({ wallUs, round }) => wallUs / (others[round]?.wallUs ?? NaN))
    .sort((a, b) => a - b);
  return {
    wallUs: median(own.map((turn) => turn.wallUs)),
    cpuUs: median(own.map((turn) => turn.cpuUs)),
    ratio: median(ratios),
    least: ratios[0] ?? NaN,
    most: ratios.at(-1) ?? NaN,
  };
}

const bench: Bench = {
  title:
    'Journal: calls with and without keys, in turn against one loopback server; WAL, synchronous = FULL. Medians, and the least and greatest multiple of a round',
  async run({ root, consumer, isSmoke }) {
    const server = fork(program('sending-server.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const lines: string[] = [];
    const broken: string[] = [];
    try {
      const [port] = (await once(server, 'message')) as [number];
      const dist = join(consumer, 'node_modules/email-platform/dist');
      const [rounds, calls] = isSmoke ? ['2', '2'] : ['21', '10'];
      for (const { name: database, node } of databasesHere()) {
        const { stdout } = await promisify(execFile)(
          node,
          [program('journal.mjs'), `http://127.0.0.1:${port}`, dist, database, rounds, calls],
          { cwd: root, maxBuffer: 2 ** 24 },
        );
        const turns = JSON.parse(stdout) as Turn[];
        for (const scenario of new Set(turns.map((turn) => turn.scenario))) {
          const names = [
            ...new Set(turns.filter((turn) => turn.scenario === scenario).map(({ name }) => name)),
          ];
          const rows = names.map((name) => {
            const { wallUs, cpuUs, ratio, least, most } = costsOf(turns, scenario, name);
            if (!isSmoke && name.startsWith('journal, no key') && ratio > CEILING)
              broken.push(
                `${database}, ${scenario}: ${digits(ratio, 2)} × without a journal (ceiling ${CEILING})`,
              );
            return [
              `  ${name}`,
              milliseconds(wallUs),
              milliseconds(cpuUs),
              digits(ratio, 2),
              `${digits(least, 2)} to ${digits(most, 2)}`,
            ];
          });
          lines.push(
            ...table([[`${scenario}, ${database}`, 'time', 'CPU', `× ${WITHOUT}`, 'in a round'], ...rows]),
            '',
          );
        }
      }
      return { lines, broken };
    } finally {
      server.disconnect();
    }
  },
};

export default bench;
