import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, table, type Bench } from './bench.ts';

/** A tenth of the log. */
interface Tenth {
  /** The CPU time of an entry, in microseconds. */
  readonly us: number;
  /** The bytes of the heap in use after it, without garbage. */
  readonly bytes: number;
}

/** The last tenth may cost this many times as much as the second; the first one warms up the JIT compiler. */
const MAX_SLOWDOWN = 1.5;
/** The iterator keeps a page of 100 entries, and the cursor of every page, by which it finds a loop: 300 bytes each. */
const MAX_MEGABYTES = 5;

const bench: Bench = {
  title: 'Growth of a log: a million entries read by the iterator, in pages of 100 from a service in memory',
  async run({ consumer, isSmoke }) {
    const entry = join(consumer, 'node_modules/email-platform/dist/index.js');
    const program = join(import.meta.dirname, 'programs/log-growth.mjs');
    const entries = isSmoke ? 10_000 : 1_000_000;
    const args = ['--expose-gc', program, entry, String(entries)];
    const tenths = JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as Tenth[];
    const last = tenths.at(-1);
    const slowdown = (last?.us ?? NaN) / (tenths[1]?.us ?? NaN);
    const megabytes = (last?.bytes ?? NaN) / 1e6;
    return {
      lines: [
        ...table([
          ['entries', 'CPU of an entry', 'memory'],
          ...tenths.map(({ us, bytes }, index) => [
            String(((index + 1) * entries) / 10),
            `${digits(us, 1)} µs`,
            `${digits(bytes / 1e6, 2)} MB`,
          ]),
        ]),
        '',
        `the last tenth costs ${digits(slowdown, 2)} × the second (ceiling ${MAX_SLOWDOWN})`,
      ],
      broken: isSmoke
        ? []
        : [
            ...(slowdown > MAX_SLOWDOWN
              ? [`the last tenth of the log costs ${digits(slowdown, 2)} × the second`]
              : []),
            ...(megabytes > MAX_MEGABYTES ? [`the iterator keeps ${digits(megabytes, 1)} MB`] : []),
          ],
    };
  },
};

export default bench;
