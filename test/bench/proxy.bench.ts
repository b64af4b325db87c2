import { fork, execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, median, table, type Bench } from './bench.ts';

/** The most that a request through the proxy may cost, as a multiple of the client's own. */
const CEILING = 1.3;

/** What a request cost in one turn. */
interface Turn {
  readonly scenario: string;
  readonly name: 'client' | 'proxy';
  readonly round: number;
  readonly wallUs: number;
  readonly cpuUs: number;
}

const program = (name: string) => join(import.meta.dirname, 'programs', name);

const bench: Bench = {
  title: 'Proxy: requests through it, and the same by the client itself, in turn against one loopback server',
  async run({ root, consumer, isSmoke }) {
    const server = fork(program('server.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    try {
      const [port] = (await once(server, 'message')) as [number];
      const dist = join(consumer, 'node_modules/email-platform/dist');
      const [rounds, requests] = isSmoke ? ['2', '20'] : ['15', '400'];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [program('through-proxy.mjs'), `http://127.0.0.1:${port}`, dist, rounds, requests],
        { cwd: root, maxBuffer: 2 ** 24 },
      );
      const turns = JSON.parse(stdout) as Turn[];
      const rows = [...new Set(turns.map(({ scenario }) => scenario))].map((scenario) => {
        const of = (name: Turn['name'], cost: 'wallUs' | 'cpuUs') =>
          turns.filter((turn) => turn.scenario === scenario && turn.name === name).map((turn) => turn[cost]);
        const ratio = (cost: 'wallUs' | 'cpuUs') => {
          const own = of('client', cost);
          return median(of('proxy', cost).map((value, round) => value / (own[round] ?? NaN)));
        };
        const [wall, cpu] = [ratio('wallUs'), ratio('cpuUs')];
        const times = [of('client', 'wallUs'), of('proxy', 'wallUs')].map(
          (values) => `${digits(median(values), 0)} µs`,
        );
        return { wall, cpu, scenario, cells: [scenario, ...times, digits(wall, 2), digits(cpu, 2)] };
      });
      return {
        lines: table([
          ['', 'client', 'proxy', '× client', '× its CPU time'],
          ...rows.map(({ cells }) => cells),
        ]),
        broken: isSmoke
          ? []
          : rows.flatMap(({ scenario, wall }) =>
              wall > CEILING
                ? [`${scenario}: ${digits(wall, 2)} × the client's time (ceiling ${CEILING})`]
                : [],
            ),
      };
    } finally {
      server.disconnect();
    }
  },
};

export default bench;
