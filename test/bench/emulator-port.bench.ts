import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { digits, figure, ratios, table, type Bench } from './bench.ts';
import { collected, count, countedOnDemand, whyNotCounted } from './instructions.ts';

const PROGRAM = join(import.meta.dirname, 'programs/port-server.mjs');

/** "emulator again" is the same build once more: its distance from the first is the error of a figure. */
const CONTESTANTS = ['bare node:http', 'emulator', 'emulator again'] as const;
const [BARE] = CONTESTANTS;

const SCENARIOS = {
  'one campaign': { path: 'campaign', body: undefined },
  'one email': {
    path: 'email',
    body: JSON.stringify({
      from: { email: 'hello@mail.example.com', name: 'Hello' },
      to: [{ email: 'ann@example.org', name: 'Ann' }],
      subject: 'Welcome',
      text: 'Good to have you here.',
      html: '<p>Good to have you here.</p>',
    }),
  },
} as const;

type Scenario = keyof typeof SCENARIOS;

/** The addresses of a server, and its token. */
interface Address {
  readonly campaign: string;
  readonly email: string;
  readonly token: string;
}

/** A server in a process of its own, and a connection to it. */
class Contestant {
  readonly #child: ChildProcess;
  readonly #address: Address;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #report: Promise<string>;

  private constructor(child: ChildProcess, address: Address, report: Promise<string>) {
    this.#child = child;
    this.#address = address;
    this.#report = report;
  }

  static async start(name: string, dist: string, isCounted: boolean): Promise<Contestant> {
    const args = [PROGRAM, name === BARE ? 'bare' : 'emulator', dist];
    const [command, all] = isCounted ? countedOnDemand(args) : [process.execPath, args];
    const child = spawn(command, all, {
      stdio: ['ignore', 'ignore', isCounted ? 'pipe' : 'inherit', 'ipc'],
    });
    const report = child.stderr === null ? Promise.resolve('') : text(child.stderr);
    const [address] = (await once(child, 'message')) as [Address];
    return new Contestant(child, address, report);
  }

  /** Sends requests one after the other. Throws at a response that is no success. */
  async send(scenario: Scenario, requests: number): Promise<void> {
    const { path, body } = SCENARIOS[scenario];
    const headers = {
      authorization: `Bearer ${this.#address.token}`,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    for (let sent = 0; sent < requests; sent += 1) {
      const sending = request(this.#address[path], { method, headers, agent: this.#agent });
      const responded = once(sending, 'response') as Promise<[IncomingMessage]>;
      sending.end(body);
      const [response] = await responded;
      const answer = await text(response);
      if (response.statusCode !== 200) throw new Error(`${scenario}: ${response.statusCode} ${answer}`);
    }
  }

  /** The microseconds of CPU time that the server takes for a request. */
  async cpuUs(scenario: Scenario, requests: number): Promise<number> {
    const before = await this.#usedUs();
    await this.send(scenario, requests);
    return ((await this.#usedUs()) - before) / requests;
  }

  /** The instructions that the server takes for a request. Ends the server. */
  async instructions(scenario: Scenario, requests: number): Promise<number> {
    const { pid = NaN } = this.#child;
    await this.send(scenario, requests);
    count(pid, true);
    await this.send(scenario, requests);
    count(pid, false);
    return collected(await this.stop()) / requests;
  }

  async #usedUs(): Promise<number> {
    this.#child.send('cpu');
    const [{ user, system }] = (await once(this.#child, 'message')) as [NodeJS.CpuUsage];
    return user + system;
  }

  /** Ends the server, and returns its report on stderr. */
  async stop(): Promise<string> {
    this.#agent.destroy();
    this.#child.disconnect();
    return this.#report;
  }
}

/** The CPU times of all contestants in turn, whose order rotates. */
async function cpuOf(dist: string, rounds: number, requests: number): Promise<string[][]> {
  const contestants = await Promise.all(CONTESTANTS.map((name) => Contestant.start(name, dist, false)));
  try {
    const rows: string[][] = [];
    for (const scenario of Object.keys(SCENARIOS) as Scenario[]) {
      const costs = CONTESTANTS.map((): number[] => []);
      for (const contestant of contestants) await contestant.send(scenario, 4 * requests);
      for (let round = 0; round < rounds; round += 1) {
        for (let place = 0; place < contestants.length; place += 1) {
          const index = (place + round) % contestants.length;
          const cost = await contestants[index]?.cpuUs(scenario, requests);
          if (cost !== undefined) costs[index]?.push(cost);
        }
      }
      const [bare = []] = costs;
      rows.push(
        [scenario, 'CPU of the server', `× ${BARE}`],
        ...CONTESTANTS.map((name, index) => {
          const own = costs[index] ?? [];
          return [`  ${name}`, figure(own, 0, 'µs'), figure(ratios(own, bare), 2)];
        }),
      );
    }
    return rows;
  } finally {
    for (const contestant of contestants) await contestant.stop();
  }
}

async function instructionsOf(dist: string, requests: number): Promise<string[][]> {
  const rows: string[][] = [];
  for (const scenario of Object.keys(SCENARIOS) as Scenario[]) {
    const counts: number[] = [];
    for (const name of CONTESTANTS) {
      const contestant = await Contestant.start(name, dist, true);
      counts.push(await contestant.instructions(scenario, requests));
    }
    const [bare = NaN] = counts;
    rows.push(
      [scenario, 'instructions', `× ${BARE}`],
      ...CONTESTANTS.map((name, index) => {
        const own = counts[index] ?? NaN;
        return [`  ${name}`, `${digits(own / 1000, 0)} k`, digits(own / bare, 2)];
      }),
    );
  }
  return rows;
}

const bench: Bench = {
  title:
    'Emulator over its port: the server’s share of a request, beside a bare node:http server with the same checks',
  async run({ consumer, isSmoke }) {
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const cpu = await cpuOf(dist, isSmoke ? 2 : 15, isSmoke ? 20 : 500);
    const reason = whyNotCounted(isSmoke);
    const instructions = reason === undefined ? table(await instructionsOf(dist, 500)) : [reason];
    return { lines: [...table(cpu), '', ...instructions], broken: [] };
  },
};

export default bench;
