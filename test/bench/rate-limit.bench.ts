import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, table, type Bench } from './bench.ts';
import { draw, type Arrival } from './rate-limit-picture.ts';

/** The picture's path in the repository. */
const PICTURE = 'docs/images/rate-limit.svg';

interface Runs {
  readonly ours: readonly Arrival[];
  readonly bottleneckWindow: readonly Arrival[];
  readonly bottleneckHeaders: readonly Arrival[];
  readonly unpaced: readonly Arrival[];
}

const refusals = (arrivals: readonly Arrival[]) => arrivals.filter(({ isRefused }) => isRefused).length;
const seconds = (arrivals: readonly Arrival[]) => digits(Math.max(...arrivals.map(({ at }) => at)) / 1000, 1);

const bench: Bench = {
  title: `Rate limit: 400 calls at once, 150 allowed in 10 s, sliding windows; drawn in ${PICTURE}`,
  isOnRequest: true,
  async run({ root, consumer }) {
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const program = join(import.meta.dirname, 'programs/rate-limit.mjs');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, ...['index', 'testing/index', 'bottleneck/index'].map((entry) => join(dist, `${entry}.js`))],
      { maxBuffer: 2 ** 26 },
    );
    const { ours, bottleneckWindow, bottleneckHeaders, unpaced } = JSON.parse(stdout) as Runs;
    const result = (arrivals: readonly Arrival[]) =>
      `${refusals(arrivals)} refused, the last one sent after ${seconds(arrivals)} s`;
    const panels = [
      { title: 'This client, 400 calls at once', result: result(ours), arrivals: ours },
      {
        title: 'A client that retries what is refused, but does not pace itself',
        result: result(unpaced),
        arrivals: unpaced,
      },
    ];
    mkdirSync(join(root, 'docs/images'), { recursive: true });
    writeFileSync(join(root, PICTURE), draw(panels));
    const all = {
      ours,
      "Bottleneck, release 'window'": bottleneckWindow,
      "Bottleneck, release 'headers'": bottleneckHeaders,
      unpaced,
    };
    const rows = Object.entries(all).map(([name, arrivals]) => [
      name,
      `${arrivals.length} requests`,
      `${refusals(arrivals)} refused`,
      `${seconds(arrivals)} s`,
    ]);
    return {
      lines: table(rows),
      broken: Object.entries({ ours, bottleneckWindow })
        .filter(([, arrivals]) => refusals(arrivals) > 0)
        .map(([name, arrivals]) => `${name}: ${refusals(arrivals)} requests were refused`),
    };
  },
};

export default bench;
