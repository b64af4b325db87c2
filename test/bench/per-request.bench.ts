import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, median, table, type Bench } from './bench.ts';

/** What one turn of one client cost, per request. */
interface Turn {
  readonly scenario: string;
  readonly name: string;
  readonly round: number;
  readonly wallUs: number;
  readonly cpuUs: number;
}

const program = (name: string) => join(import.meta.dirname, 'programs', name);

/** The median of what each round's turn cost in proportion to bare fetch's in the same round. */
function ratio(turns: readonly Turn[], bare: readonly Turn[], cost: 'wallUs' | 'cpuUs'): string {
  const ratios = turns.map(
    (turn) => turn[cost] / (bare.find(({ round }) => round === turn.round)?.[cost] ?? NaN),
  );
  return `× ${digits(median(ratios), 2)}`;
}

function rowsOf(scenario: string, turns: readonly Turn[]): string[][] {
  const bare = turns.filter(({ name }) => name === 'fetch');
  const names = [...new Set(turns.map(({ name }) => name))];
  const rows = names.map((name) => {
    const own = turns.filter((turn) => turn.name === name);
    const us = (cost: 'wallUs' | 'cpuUs') => `${digits(median(own.map((turn) => turn[cost])), 0)} µs`;
    return [`  ${name}`, us('wallUs'), ratio(own, bare, 'wallUs'), us('cpuUs'), ratio(own, bare, 'cpuUs')];
  });
  return [[scenario, 'time', '', 'CPU', ''], ...rows];
}

const bench: Bench = {
  title:
    'Per request: clients in turn against one loopback server, medians, and medians of ratios to bare fetch',
  async run({ root, consumer, isSmoke }) {
    const server = fork(program('server.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    try {
      const [port] = (await once(server, 'message')) as [number];
      const entry = join(consumer, 'node_modules/email-platform/dist/index.js');
      const [rounds, requests] = isSmoke ? ['2', '20'] : ['25', '200'];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--expose-gc', program('requests.mjs'), `http://127.0.0.1:${port}`, entry, rounds, requests],
        { cwd: root, maxBuffer: 2 ** 26 },
      );
      const turns = JSON.parse(stdout) as Turn[];
      const scenarios = [...new Set(turns.map(({ scenario }) => scenario))];
      const rows = scenarios.flatMap((scenario) =>
        rowsOf(
          scenario,
          turns.filter((turn) => turn.scenario === scenario),
        ),
      );
      return { lines: table(rows), broken: [] };
    } finally {
      server.disconnect();
    }
  },
};

export default bench;
