import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, figure, median, table, type Bench } from './bench.ts';

/** A comparison takes at most this many milliseconds of the processor, with the reading of both files. */
const MAX_MS = 3_000;

const bench: Bench = {
  title: 'Comparisons: what it takes to compare two reports',
  async run({ root, consumer, isSmoke }) {
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const [rounds, mails] = isSmoke ? ['1', '200'] : ['5', '5000'];
    const program = join(import.meta.dirname, 'programs/compare.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program, dist, rounds, mails], {
      cwd: root,
    });
    const measured = Object.entries(JSON.parse(stdout) as Readonly<Record<string, readonly number[]>>);
    return {
      lines: table(
        measured.map(([name, times]) => [`CPU of comparing ${name} a side`, figure(times, 0, 'ms')]),
      ),
      broken: isSmoke
        ? []
        : measured
            .filter(([, times]) => median(times) > MAX_MS)
            .map(
              ([name, times]) =>
                `comparing ${name} takes ${digits(median(times), 0)} ms of CPU (at most ${MAX_MS})`,
            ),
    };
  },
};

export default bench;
