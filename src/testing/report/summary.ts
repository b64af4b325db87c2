import type { ReportData, ReportFinding } from '../../report/data.ts';
import type { EmulatorReportOptions } from './options.ts';

/** What a report says in short. */
export interface EmulatorReport {
  /** The file that was written, as it was named. */
  readonly file: string;
  /** How many kinds of mail there were. */
  readonly kinds: number;
  /** How many mails were sent. */
  readonly sent: number;
  /** How many requests there were. */
  readonly requests: number;
  /** How many of them were refused. */
  readonly refused: number;
  /** What the checks found, errors first. */
  readonly findings: readonly ReportFinding[];
}

/** Thrown by a report with the option `failOn`: its message has a line for each finding. */
export class ReportError extends Error {
  /** `ReportError`, also in minified code. */
  override readonly name = 'ReportError';
  /** The report, whose file has been written. */
  readonly report: EmulatorReport;

  /** @internal */
  constructor(message: string, report: EmulatorReport) {
    super(message);
    this.report = report;
  }
}

export const reportOf = (file: string, data: ReportData): EmulatorReport => ({
  file,
  kinds: data.kinds.length,
  sent: data.sent,
  requests: data.requested,
  refused: data.refused,
  findings: data.findings,
});

const LONGEST_KIND = 30;

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** The lines that say what a report found. */
export function linesOf(
  { file, kinds, sent, requests, refused, findings }: EmulatorReport,
  notes: readonly string[] = [],
): string[] {
  const width = Math.min(LONGEST_KIND, Math.max(0, ...findings.map(({ kind }) => kind.length)));
  const cut = (kind: string) => (kind.length > LONGEST_KIND ? `${kind.slice(0, LONGEST_KIND - 1)}…` : kind);
  const printable = (line: string) => line.replace(/\p{Cc}/gu, ' ');
  return [
    `${file}: ${counted(kinds, 'kind of mail', 'kinds of mail')}, ${sent} sent, ${counted(requests, 'request')}, ${refused} refused`,
    ...findings.map(
      ({ level, kind, message }) => ` ${level.padEnd(5)}  ${cut(kind).padEnd(width)}  ${message}`,
    ),
    ...notes.map((note) => ` note   ${note}`),
  ].map(printable);
}

/** Prints the lines and throws, if there are findings of the level that a report fails on. */
export function judge(
  report: EmulatorReport,
  notes: readonly string[],
  failOn: EmulatorReportOptions['failOn'],
): void {
  if (failOn === undefined) return;
  const lines = linesOf(report, notes).join('\n');
  // oxlint-disable-next-line no-console -- asked for by the option
  console.log(lines);
  const isFault = report.findings.some(({ level }) => failOn === 'warn' || level === 'error');
  if (isFault) throw new ReportError(lines, report);
}
