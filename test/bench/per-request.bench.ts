import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, median, table, type Bench } from './bench.ts';

/** The cost per request of one client's turn. */
interface Turn {
  readonly scenario: string;
  readonly name: string;
  readonly round: number;
  readonly wallUs: number;
  readonly cpuUs: number;
}

type Cost = 'wallUs' | 'cpuUs';

/** The most our client may cost in each scenario, as a multiple of ky's cost. */
const CEILINGS: Readonly<Record<string, number>> = { 'one campaign': 1.25, 'page of 100': 1.15 };

const program = (name: string) => join(import.meta.dirname, 'programs', name);

const turnsOf = (turns: readonly Turn[], name: string) => turns.filter((turn) => turn.name === name);

/** The median over all rounds of a client's cost divided by another client's in the same round. */
function ratio(turns: readonly Turn[], others: readonly Turn[], cost: Cost): number {
  return median(
    turns.map((turn) => turn[cost] / (others.find(({ round }) => round === turn.round)?.[cost] ?? NaN)),
  );
}

function rowsOf(scenario: string, turns: readonly Turn[]): string[][] {
  const names = [...new Set(turns.map(({ name }) => name))];
  const rows = names.map((name) => {
    const own = turnsOf(turns, name);
    const cells = (cost: Cost) => [
      `${digits(median(own.map((turn) => turn[cost])), 0)} µs`,
      ...['fetch', 'ky'].map((other) => digits(ratio(own, turnsOf(turns, other), cost), 2)),
    ];
    return [`  ${name}`, ...cells('wallUs'), ...cells('cpuUs')];
  });
  return [[scenario, 'time', '× fetch', '× ky', 'CPU', '× fetch', '× ky'], ...rows];
}

function brokenBy(scenario: string, turns: readonly Turn[]): string[] {
  const ceiling = CEILINGS[scenario] ?? Infinity;
  const [ours, kys] = [turnsOf(turns, 'client'), turnsOf(turns, 'ky')];
  return Object.entries({ time: 'wallUs', 'CPU time': 'cpuUs' } as const).flatMap(([what, cost]) => {
    const times = ratio(ours, kys, cost);
    return times > ceiling ? [`${scenario}: ${digits(times, 2)} × ky's ${what} (ceiling ${ceiling})`] : [];
  });
}

const bench: Bench = {
  title:
    'Per request: clients in turn against one loopback server; medians, and medians of the ratios in each round',
  async run({ root, consumer, isSmoke }) {
    const server = fork(program('server.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    try {
      const [port] = (await once(server, 'message')) as [number];
      const entry = join(consumer, 'node_modules/email-platform/dist/index.js');
      const [rounds, requests] = isSmoke ? ['2', '20'] : ['15', '500'];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [program('requests.mjs'), `http://127.0.0.1:${port}`, entry, rounds, requests],
        { cwd: root, maxBuffer: 2 ** 26 },
      );
      const turns = JSON.parse(stdout) as Turn[];
      const scenarios = [...new Set(turns.map(({ scenario }) => scenario))];
      const parts = scenarios.map(
        (scenario) => [scenario, turns.filter((turn) => turn.scenario === scenario)] as const,
      );
      return {
        lines: table(parts.flatMap(([scenario, own]) => rowsOf(scenario, own))),
        broken: isSmoke ? [] : parts.flatMap(([scenario, own]) => brokenBy(scenario, own)),
      };
    } finally {
      server.disconnect();
    }
  },
};

export default bench;
