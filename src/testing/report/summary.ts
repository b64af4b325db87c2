import { plainLine } from '../../kit/one-line.ts';
import type { ReportData, ReportFinding } from './data/data.ts';
import type { EmulatorReportOptions } from './report-options.ts';

/** The summary of a report. */
export interface EmulatorReport {
  /** The written file, as the caller named it. */
  readonly file: string;
  /** The number of kinds of email. */
  readonly kinds: number;
  /** The number of sent mails. */
  readonly sent: number;
  /** The number of requests. */
  readonly requests: number;
  /** The number of refused requests. */
  readonly refused: number;
  /** The findings of the checks, errors first. */
  readonly findings: readonly ReportFinding[];
}

/** The error of a report whose findings reach the level of `failOn`. The message has a line for each finding. */
export class ReportError extends Error {
  /** `ReportError`, also in minified code. */
  override readonly name = 'ReportError';
  /** The report. Its file is already written. */
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

/** The summary as lines: the totals, then a line for each finding and note. */
export function linesOf(
  { file, kinds, sent, requests, refused, findings }: EmulatorReport,
  notes: readonly string[] = [],
): string[] {
  const width = Math.min(LONGEST_KIND, Math.max(0, ...findings.map(({ kind }) => kind.length)));
  const cut = (kind: string) => (kind.length > LONGEST_KIND ? `${kind.slice(0, LONGEST_KIND - 1)}…` : kind);
  return [
    `${file}: ${counted(kinds, 'kind of email', 'kinds of email')}, ${sent} sent, ${counted(requests, 'request')}, ${refused} refused`,
    ...findings.map(
      ({ level, kind, message }) => ` ${level.padEnd(5)}  ${cut(kind).padEnd(width)}  ${message}`,
    ),
    ...notes.map((note) => ` note   ${note}`),
  ].map(plainLine);
}

/** Whether a report has findings of the level of `failOn`, or of a worse one. */
export const isFailure = ({ findings }: EmulatorReport, failOn: EmulatorReportOptions['failOn']): boolean =>
  findings.some(({ level }) => failOn === 'warn' || level === failOn);

/** With `failOn`, prints the summary. Throws if the report has findings of that level. */
export function judge(
  report: EmulatorReport,
  notes: readonly string[],
  failOn: EmulatorReportOptions['failOn'],
): void {
  if (failOn === undefined) return;
  const lines = linesOf(report, notes).join('\n');
  // oxlint-disable-next-line no-console -- the option `failOn` prints
  console.log(lines);
  if (isFailure(report, failOn)) throw new ReportError(lines, report);
}
