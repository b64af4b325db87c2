import type {
  ReportData,
  ReportFinding,
  ReportKind,
  ReportLimit,
  ReportMail,
  ReportRequest,
} from './data/data.ts';
import { REPORT_VERSION } from './data/data.ts';
import { arrayOf, check, objectOf } from '../declare/kind.ts';
import { CHECK_NAMES } from './checks/all.ts';
import { fileKind, reportKinds, type EmulatorReportOptions } from './report-options.ts';
import { MAX_MAILS, MAX_REQUESTS } from './records/recorder.ts';
import { dataIn } from './file/read.ts';
import { written } from './report.ts';
import type { EmulatorReport } from './summary.ts';

const joinOptions = objectOf<Pick<EmulatorReportOptions, 'failOn'>>({ failOn: reportKinds.failOn });
export const filesKind = {
  ...arrayOf('names of files', fileKind),
  isAllowed: (value: unknown) => (value as unknown[]).length > 0,
  what: 'an array with the name of a file, or more',
};

/**
 * Joins the reports of several runs, such as those of the workers of a test runner, into one file. Ids get the position of
 * their report as a prefix: `2-17` is mail 17 of the second report. The file has the newest 5,000 mails and 20,000 requests. A file that is
 * named twice counts once.
 *
 * @param files - The names of the reports.
 * @param out - The name of the file to write.
 * @throws {@link ReportError} with `failOn` and findings of that level, after the file is written; `Error` if a file
 * cannot be read or is not a report; `TypeError` or `RangeError` for wrong arguments. The promise rejects with it.
 *
 * @example
 * ```ts
 * await joinReports(['mails-1.html', 'mails-2.html'], 'mails.html');
 * ```
 */
export async function joinReports(
  files: readonly string[],
  out: string,
  options: Pick<EmulatorReportOptions, 'failOn'> = {},
): Promise<EmulatorReport> {
  check(filesKind, files, 'files');
  check(fileKind, out, 'out');
  const given = check(joinOptions, options, 'options');
  const all: ReportData[] = [];
  const { realpath } = await import('node:fs/promises');
  const distinct = new Map<string, string>();
  for (const file of files) distinct.set(await realpath(file).catch(() => file), file);
  for (const file of distinct.values()) all.push(await dataIn(file));
  return written(out, joined(all), given);
}

/** Joins the data of several reports. */
export function joined(all: readonly ReportData[]): ReportData {
  const parts = all.map((data, index) => renamed(data, `${index + 1}-`));
  const sum = (of: (data: ReportData) => number) => all.reduce((total, data) => total + of(data), 0);
  const runs = all.flatMap(({ run }) => run ?? []);
  const mails = newest(parts.flatMap((one) => one.mails));
  const requests = newest(parts.flatMap((one) => one.requests));
  return {
    version: REPORT_VERSION,
    run: {
      ...runs[0],
      ...(runs.length > 0 && { durationMs: Math.max(...runs.map(({ durationMs = 0 }) => durationMs)) }),
    },
    source: all.every(({ source }) => source === 'inbox') ? 'inbox' : 'emulator',
    writtenAt: Date.now(),
    addresses: all.every(({ addresses }) => addresses === 'masked') ? 'masked' : 'shown',
    sent: sum(({ sent }) => sent),
    requested: sum(({ requested }) => requested),
    refused: sum(({ refused }) => refused),
    omitted: {
      mails: sum(({ omitted }) => omitted.mails) + Math.max(0, mails.length - MAX_MAILS),
      requests: sum(({ omitted }) => omitted.requests) + Math.max(0, requests.length - MAX_REQUESTS),
    },
    kinds: kindsOf(parts),
    mails: mails.slice(0, MAX_MAILS),
    requests: requests.slice(0, MAX_REQUESTS),
    limits: limitsOf(parts),
    posts: newest(parts.flatMap((one) => one.posts)),
    findings: findingsOf(parts),
    notes: [...new Set(parts.flatMap(({ notes = [] }) => notes))],
  };
}

const newest = <One extends { readonly at: number }>(all: readonly One[]): One[] =>
  [...all].sort((a, b) => b.at - a.at);

/** Prefixes all ids. */
function renamed(data: ReportData, prefix: string): ReportData {
  const name = (id: string) => prefix + id;
  return {
    ...data,
    mails: data.mails.map((mail): ReportMail => ({
      ...mail,
      id: name(mail.id),
      request: mail.request === null ? null : name(mail.request),
    })),
    requests: data.requests.map((request): ReportRequest => ({
      ...request,
      id: name(request.id),
      mails: request.mails.map(name),
    })),
    posts: data.posts.map((post) => ({
      ...post,
      id: name(post.id),
      ...(post.mails && { mails: post.mails.map(name) }),
    })),
    findings: data.findings.map((finding) => ({ ...finding, ids: finding.ids.map(name) })),
  };
}

/** Merges items with the same key. */
function merged<One>(
  all: readonly One[],
  keyOf: (one: One) => string,
  merge: (a: One, b: One) => One,
): One[] {
  const byKey = new Map<string, One>();
  for (const one of all) {
    const previous = byKey.get(keyOf(one));
    byKey.set(keyOf(one), previous === undefined ? one : merge(previous, one));
  }
  return [...byKey.values()];
}

const kindsOf = (parts: readonly ReportData[]): ReportKind[] =>
  merged(
    parts.flatMap(({ kinds }) => kinds),
    ({ id }) => id,
    (a, b) => ({ ...a, count: a.count + b.count }),
  ).sort((a, b) => b.count - a.count);

const limitsOf = (parts: readonly ReportData[]): ReportLimit[] =>
  merged(
    parts.flatMap(({ limits }) => limits),
    ({ pool }) => pool,
    (a, b) => ({ ...a, mostUsed: Math.max(a.mostUsed, b.mostUsed), refused: a.refused + b.refused }),
  );

const findingsOf = (parts: readonly ReportData[]): ReportFinding[] =>
  merged(
    parts.flatMap(({ findings }) => findings),
    ({ level, check: name, kind, message }) => JSON.stringify([level, name, kind, message]),
    (a, b) => ({ ...a, ids: [...a.ids, ...b.ids] }),
  ).sort(
    (a, b) =>
      Number(a.level === 'warn') - Number(b.level === 'warn') ||
      CHECK_NAMES.indexOf(a.check) - CHECK_NAMES.indexOf(b.check),
  );
