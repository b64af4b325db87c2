import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, figure, median, ratios, table, type Bench } from './bench.ts';

interface Measured {
  /** Milliseconds of the processor for a mail, one for each round. */
  readonly without: readonly number[];
  readonly withDetails: readonly number[];
  readonly shownMs: number;
  readonly maskedMs: number;
  readonly bytes: number;
}

/** A mail with details takes at most this many times the processor's time of one without. */
const MAX_RATIO = 2;

const bench: Bench = {
  title: 'Report: what `details: true` costs for each mail, and what it takes to write the file',
  async run({ root, consumer, isSmoke }) {
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const [rounds, mails, requests] = isSmoke ? ['2', '50', '250'] : ['20', '1000', '5000'];
    const program = join(import.meta.dirname, 'programs/report.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program, dist, rounds, mails, requests], {
      cwd: root,
    });
    const { without, withDetails, shownMs, maskedMs, bytes } = JSON.parse(stdout) as Measured;
    const ratio = median(ratios(withDetails, without));
    return {
      lines: table([
        ['CPU of a mail of 5 kB', figure(without, 3, 'ms')],
        ['the same with `details: true`', figure(withDetails, 3, 'ms')],
        ['×', digits(ratio, 2)],
        [
          `CPU of a report of ${mails} mails and ${requests} requests, with its checks`,
          `${digits(shownMs, 0)} ms`,
        ],
        ['the same with masked addresses, the checks done', `${digits(maskedMs, 0)} ms`],
        ['the file', `${digits(bytes / 1e6, 1)} MB`],
      ]),
      broken:
        !isSmoke && ratio > MAX_RATIO
          ? [`a mail with details takes ${digits(ratio, 2)} × the time of one without (at most ${MAX_RATIO})`]
          : [],
    };
  },
};

export default bench;
