import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, figure, table, type Bench } from './bench.ts';

/** The result of one round. */
interface Round {
  readonly bytesPerCall: number;
  readonly drainMs: number;
  /** CPU time per call, for each tenth of the calls. */
  readonly tenthsUs: readonly number[];
  /** The longest time for which the event loop did nothing else while one signal aborted twice as many calls. */
  readonly abortMs: number;
}

/** The last calls of a queue may cost this much more than the first: more, and its length would matter. */
const CEILING_SLOWDOWN = 1.2;

const bench: Bench = {
  title:
    'Waiting: queued calls, the memory that each takes, and how the queue drains when the limit is opened',
  async run({ consumer, isSmoke }) {
    const entry = join(consumer, 'node_modules/email-platform/dist/index.js');
    const program = join(import.meta.dirname, 'programs/waiting.mjs');
    const [calls, rounds] = isSmoke ? [2000, 1] : [10_000, 5];
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      program,
      entry,
      String(calls),
      String(rounds),
    ]);
    const all = JSON.parse(stdout) as Round[];
    const kilobytes = figure(
      all.map(({ bytesPerCall }) => bytesPerCall / 1000),
      2,
      'kB',
    );
    const drain = figure(
      all.map(({ drainMs }) => drainMs / 1000),
      2,
      's',
    );
    const abort = figure(
      all.map(({ abortMs }) => abortMs),
      0,
      'ms',
    );
    // The minimum of all rounds, because other work on the machine can only add to it.
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      Math.min(...all.map(({ tenthsUs }) => tenthsUs[tenth] ?? NaN)),
    );
    const [first = NaN] = tenths;
    const slowdown = (tenths.at(-1) ?? NaN) / first;
    const slowed = `last tenth ${digits(slowdown, 2)} × first tenth (ceiling ${CEILING_SLOWDOWN})`;
    return {
      lines: [
        `${calls} queued calls: ${kilobytes} a call, of it 0.8 kB for the frames of the code that made it`,
        `they drain in ${drain}: ${slowed}`,
        `one signal aborts ${2 * calls} queued calls: the event loop does nothing else for ${abort} at most`,
        '',
        ...table([
          ['tenth', ...tenths.map((_, tenth) => String(tenth + 1))],
          ['CPU µs per call', ...tenths.map((us) => digits(us, 0))],
        ]),
      ],
      broken: slowdown > CEILING_SLOWDOWN && !isSmoke ? [`the queue slows down: ${slowed}`] : [],
    };
  },
};

export default bench;
