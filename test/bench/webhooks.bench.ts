import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, figure, median, ratios, table, type Bench } from './bench.ts';

interface Turn {
  readonly scenario: string;
  readonly name: string;
  readonly cpuUs: number;
}

const VERIFY = 'verifyWebhook';
const IMPORT = 'importing the key';

const bench: Bench = {
  title:
    'Webhooks: the CPU time of verifying a post, and of its parts, in turn; medians over the rounds, ± their spread',
  async run({ consumer, isSmoke }) {
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const program = join(import.meta.dirname, 'programs/webhooks.mjs');
    const args = [program, dist, ...(isSmoke ? ['2', '50'] : ['21', '2000'])];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
    const turns = JSON.parse(stdout) as Turn[];
    const distinct = (of: keyof Pick<Turn, 'scenario' | 'name'>) => [
      ...new Set(turns.map((turn) => turn[of])),
    ];
    const costs = (scenario: string, name: string) =>
      turns.filter((turn) => turn.scenario === scenario && turn.name === name).map(({ cpuUs }) => cpuUs);
    const rows = distinct('scenario').flatMap((scenario) => {
      const whole = costs(scenario, VERIFY);
      return [
        [scenario, 'CPU', `× ${VERIFY}`],
        ...distinct('name').map((name) => {
          const own = costs(scenario, name);
          return [`  ${name}`, figure(own, 1, 'µs'), figure(ratios(own, whole), 2)];
        }),
      ];
    });
    const [single = ''] = distinct('scenario');
    const savedUs = median(costs(single, IMPORT));
    return {
      lines: [
        ...table(rows),
        '',
        `Keeping the imported key would save ${digits(savedUs, 0)} µs a post, ${digits(savedUs / 10, 1)} % of a core at a thousand posts a second.`,
        'It would keep a secret in the module for as long as the process runs. So the key is imported for each post.',
      ],
      broken: [],
    };
  },
};

export default bench;
