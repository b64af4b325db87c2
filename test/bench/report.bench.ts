import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digits, figure, median, ratios, table, type Bench } from './bench.ts';

interface Measured {
  /** Milliseconds of the processor for a mail, one for each round. */
  readonly without: readonly number[];
  readonly withDetails: readonly number[];
  /** A report, and one of eight times as much. */
  readonly sizes: readonly OfSize[];
  /** By the kind of content: the milliseconds of reports of `count` mails, and of masked ones of twice as many. */
  readonly kinds: Readonly<Record<string, OfKind>>;
}

interface OfSize {
  readonly mails: number;
  readonly requests: number;
  readonly shownMs: number;
  readonly maskedMs: number;
  readonly bytes: number;
}

interface OfKind {
  readonly count: number;
  readonly shown: readonly number[];
  readonly masked: readonly number[];
  readonly twice: readonly number[];
}

/** A masked report takes at most this many times the processor's time of one with addresses shown, by the kind of content. */
const MAX_MASKED: Readonly<Record<string, number>> = { ordinary: 1.5, large: 1.5, hostile: 1.5 };
/** A masked report of twice as many mails takes at most this many times the time. */
const MAX_TWICE = 3;

/** The lines about a kind of content, and the limits that it broke. */
function ofKind(kind: string, { count, shown, masked, twice }: OfKind) {
  const times = median(ratios(masked, shown));
  const growth = median(ratios(twice, masked));
  const most = MAX_MASKED[kind] ?? 0;
  const what = `a masked report of ${count} mails with ${kind} content`;
  return {
    lines: [
      [`CPU of ${what}`, figure(masked, 0, 'ms')],
      ['× that of one with addresses shown', digits(times, 2)],
      ['× for twice as many emails', digits(growth, 2)],
    ] as const,
    broken: [
      ...(times > most
        ? [`${what} takes ${digits(times, 2)} × the time of one with addresses shown (at most ${most})`]
        : []),
      ...(growth > MAX_TWICE
        ? [`${what} takes ${digits(growth, 2)} × the time for twice as many (at most ${MAX_TWICE})`]
        : []),
    ],
  };
}

/** A report of eight times as much takes at most this many times the processor's time. */
const MAX_EIGHT_TIMES = 12;

/** A mail with details takes at most this many times the processor's time of one without. */
const MAX_RATIO = 2;

const bench: Bench = {
  title:
    'Report: what `details: true` costs for each mail, and what it takes to write the file, with any content',
  async run({ root, consumer, isSmoke }) {
    const dist = join(consumer, 'node_modules/email-platform/dist');
    const [rounds, mails, requests] = isSmoke ? ['2', '50', '250'] : ['20', '1000', '5000'];
    const program = join(import.meta.dirname, 'programs/report.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program, dist, rounds, mails, requests], {
      cwd: root,
    });
    const { without, withDetails, sizes, kinds } = JSON.parse(stdout) as Measured;
    const byKind = Object.entries(kinds).map(([kind, times]) => ofKind(kind, times));
    const ratio = median(ratios(withDetails, without));
    const times = (name: 'shownMs' | 'maskedMs') => (sizes[1]?.[name] ?? NaN) / (sizes[0]?.[name] ?? NaN);
    const growth = Math.max(times('shownMs'), times('maskedMs'));
    return {
      lines: table([
        ['CPU of a mail of 5 kB', figure(without, 3, 'ms')],
        ['the same with `details: true`', figure(withDetails, 3, 'ms')],
        ['×', digits(ratio, 2)],
        ...sizes.flatMap((size) => [
          [
            `CPU of a report of ${size.mails} mails and ${size.requests} requests, with its checks`,
            `${digits(size.shownMs, 0)} ms`,
          ],
          ['the same with masked addresses, the checks done', `${digits(size.maskedMs, 0)} ms`],
          ['the file', `${digits(size.bytes / 1e6, 1)} MB`],
        ]),
        ['× for eight times as much', digits(growth, 1)],
        ...byKind.flatMap((one) => one.lines),
      ]),
      broken: isSmoke
        ? []
        : [
            ...(ratio > MAX_RATIO
              ? [
                  `a mail with details takes ${digits(ratio, 2)} × the time of one without (at most ${MAX_RATIO})`,
                ]
              : []),
            ...(growth > MAX_EIGHT_TIMES
              ? [
                  `a report of eight times as much takes ${digits(growth, 1)} × the time (at most ${MAX_EIGHT_TIMES})`,
                ]
              : []),
            ...byKind.flatMap((one) => one.broken),
          ],
    };
  },
};

export default bench;
