// What a user gets: a program has one client, with its default options, in a process of its own, and pays for the garbage
// of nobody else. So each client here has a process and a keep-alive server of its own, and they take turns of 500 requests,
// in an order that rotates. The second table is of a program with other clients: all in one process, with one server.
// Nothing is collected by force: that would discard compiled code, which costs a client more, the more it has. Only the
// limits are changed, which would pace it. "client again" is the same build once more: how far it is from 1 is what a figure
// here can be wrong by. ± is half the distance between the quartiles of the rounds.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { figure, ratios, table, type Bench } from './bench.ts';

/** What a request cost in one turn. */
interface Cost {
  readonly wallUs: number;
  readonly cpuUs: number;
}

/** What a request cost in one turn of a client in one scenario. */
interface Turn extends Cost {
  readonly name: string;
  readonly scenario: string;
}

/** A client in a process of its own, its server, and what its turns cost. */
interface Contestant {
  readonly name: string;
  readonly processes: readonly ChildProcess[];
  turn(scenario: string, requests: number): Promise<Cost>;
}

const CONTESTANTS = ['fetch', 'ky', 'client', 'client again', 'client, all hooks'] as const;
const SCENARIOS = ['one campaign', 'page of 100', 'one email'] as const;

/** What we aim at, as a multiple of what ky costs. */
const AIMS =
  'aims, × ky: one campaign 1.15, and 1.35 beside others; a page of 100 1.10; one email 1.08; their CPU time 1.25';

const program = (name: string) => join(import.meta.dirname, 'programs', name);

const forked = (name: string, words: readonly string[] = []) =>
  fork(program(name), words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });

async function startedServer() {
  const server = forked('server.mjs');
  const [port] = (await once(server, 'message')) as [number];
  return { server, origin: `http://127.0.0.1:${port}` };
}

async function started(name: string, entry: string): Promise<Contestant> {
  const { server, origin } = await startedServer();
  const client = forked('contestant.mjs', [name, origin, entry]);
  await once(client, 'message');
  return {
    name,
    processes: [client, server],
    async turn(scenario, requests) {
      client.send({ scenario, requests });
      const [cost] = (await once(client, 'message')) as [Cost];
      return cost;
    },
  };
}

/** The costs of all contestants in one scenario, round by round. */
async function measured(
  contestants: readonly Contestant[],
  scenario: string,
  rounds: number,
  requests: number,
): Promise<Record<string, Cost[]>> {
  const costs: Record<string, Cost[]> = Object.fromEntries(contestants.map(({ name }) => [name, []]));
  for (const contestant of contestants) await contestant.turn(scenario, 2 * requests);
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < contestants.length; place += 1) {
      const contestant = contestants[(place + round) % contestants.length];
      if (contestant) costs[contestant.name]?.push(await contestant.turn(scenario, requests));
    }
  }
  return costs;
}

/** The turns of all contestants in one process. */
async function besideOthers(entry: string, rounds: number, requests: number): Promise<readonly Turn[]> {
  const { server, origin } = await startedServer();
  const client = forked('beside.mjs', [origin, entry, String(rounds), String(requests), ...CONTESTANTS]);
  try {
    const [turns] = (await once(client, 'message')) as [readonly Turn[]];
    return turns;
  } finally {
    server.disconnect();
  }
}

function rowsOf(scenario: string, costs: Readonly<Partial<Record<string, readonly Cost[]>>>): string[][] {
  const of = (name: string, cost: keyof Cost) => (costs[name] ?? []).map((turn) => turn[cost]);
  const cells = (name: string, cost: keyof Cost) => [
    figure(of(name, cost), 0, 'µs'),
    ...['fetch', 'ky', 'client'].map((other) => figure(ratios(of(name, cost), of(other, cost)), 2)),
  ];
  return [
    [scenario, 'time', '× fetch', '× ky', '× client', 'CPU', '× fetch', '× ky', '× client'],
    ...CONTESTANTS.map((name) => [`  ${name}`, ...cells(name, 'wallUs'), ...cells(name, 'cpuUs')]),
  ];
}

const bench: Bench = {
  title:
    'Per request: each client in a process with a server of its own, in turn; medians over the rounds, ± their spread',
  async run({ consumer, isSmoke }) {
    const entry = join(consumer, 'node_modules/email-platform/dist/index.js');
    const [rounds, requests] = isSmoke ? [2, 20] : [20, 500];
    const contestants = await Promise.all(CONTESTANTS.map((name) => started(name, entry)));
    try {
      const rows: string[][] = [];
      for (const scenario of SCENARIOS) {
        rows.push(...rowsOf(scenario, await measured(contestants, scenario, rounds, requests)));
      }
      const turns = await besideOthers(entry, rounds, requests);
      for (const scenario of SCENARIOS) {
        const ofScenario = turns.filter((turn) => turn.scenario === scenario);
        const costs = CONTESTANTS.map((name) => [name, ofScenario.filter((turn) => turn.name === name)]);
        const byName = Object.fromEntries(costs) as Record<string, Turn[]>;
        rows.push(...rowsOf(`${scenario}, beside others`, byName));
      }
      return { lines: [...table(rows), '', AIMS], broken: [] };
    } finally {
      for (const { processes } of contestants) for (const each of processes) each.disconnect();
    }
  },
};

export default bench;
