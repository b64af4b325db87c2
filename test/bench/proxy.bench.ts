import { fork, execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { figure, ratios, table, type Bench } from './bench.ts';

/** What a request cost in one turn. */
interface Turn {
  readonly scenario: string;
  readonly name: 'client' | 'client again' | 'proxy';
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
        const against = (name: Turn['name'], cost: 'wallUs' | 'cpuUs') =>
          figure(ratios(of(name, cost), of('client', cost)), 2);
        return [
          [scenario, 'time', '× client', '× its CPU time'],
          ...(['client', 'client again', 'proxy'] as const).map((name) => [
            `  ${name}`,
            figure(of(name, 'wallUs'), 0, 'µs'),
            against(name, 'wallUs'),
            against(name, 'cpuUs'),
          ]),
        ];
      });
      return { lines: [...table(rows.flat()), '', 'aim: 1.3 × the client'], broken: [] };
    } finally {
      server.disconnect();
    }
  },
};

export default bench;
