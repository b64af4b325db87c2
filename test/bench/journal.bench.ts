import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databasesHere } from '../support/databases.ts';
import { digits, figure, median, ratios, table, type Bench } from './bench.ts';

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

/** A contestant's costs in milliseconds, and its times as multiples of those without a journal, round by round. */
function costsOf(turns: readonly Turn[], scenario: string, name: string) {
  const of = (who: string) =>
    turns
      .filter((turn) => turn.scenario === scenario && turn.name === who)
      .sort((one, other) => one.round - other.round);
  const times = (who: string) => of(who).map(({ wallUs }) => wallUs / 1_000);
  return {
    times: times(name),
    cpu: of(name).map(({ cpuUs }) => cpuUs / 1_000),
    multiples: ratios(times(name), times(WITHOUT)),
  };
}

const bench: Bench = {
  title:
    'Journal: calls with and without keys, in turn against one loopback server; WAL, synchronous = FULL. Medians, and their spread',
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
            const { times, cpu, multiples } = costsOf(turns, scenario, name);
            const ratio = median(multiples);
            if (!isSmoke && name.startsWith('journal, no key') && ratio > CEILING)
              broken.push(
                `${database}, ${scenario}: ${digits(ratio, 2)} × without a journal (ceiling ${CEILING})`,
              );
            return [`  ${name}`, figure(times, 2, 'ms'), figure(cpu, 2, 'ms'), figure(multiples, 2)];
          });
          lines.push(...table([[`${scenario}, ${database}`, 'time', 'CPU', `× ${WITHOUT}`], ...rows]), '');
        }
      }
      return { lines, broken };
    } finally {
      server.disconnect();
    }
  },
};

export default bench;
