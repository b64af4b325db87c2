/** Reports as files and as a live page. May import every room of `report`; it knows no server. */
import type { ReportData } from './data/data.ts';
import { late } from '../../kit/late.ts';
import { check } from '../declare/kind.ts';
import { collect, type Collected } from './collect/collect.ts';
import { CheckedMails, findingsOf, THIS_MACHINE, type CheckOptions } from './collect/findings.ts';
import type { LiveState } from './data/live-data.ts';
import { LiveReport } from './live.ts';
import { isReserved, masked } from './mask/masked.ts';
import { newsOf, type News } from './collect/news.ts';
import { fileKind, reportOptions, type EmulatorReportOptions } from './report-options.ts';
import type { Recorder } from './records/recorder.ts';
import { runOf } from './collect/run-of.ts';
import { judge, reportOf, type EmulatorReport } from './summary.ts';
import { writeReport } from './file/write.ts';
import { newWriter, type Writer } from './file/writer.ts';

/** The options of a report's contents. */
type Contents = Omit<EmulatorReportOptions, 'failOn' | 'site'> & Pick<CheckOptions, 'site'>;

/** Runs the checks on collected data, and masks it. `domains` are those of mailboxes, whose addresses are shown. */
export function finished(
  { data, eras, bcc }: Collected,
  options: Contents,
  memory?: CheckedMails,
  domains?: ReadonlySet<string>,
): ReportData {
  // Some are not from a caller, and have no other fields either.
  const { addresses, site, checks, title }: Contents = Object.assign(Object.create(null) as object, options);
  const eraOf = (id: string) => eras.get(id);
  const { findings, notes } = findingsOf(data, eraOf, { site, checks }, memory);
  const run = { ...data.run, ...(title !== undefined && { title }) };
  const whole = { ...data, run, findings, notes };
  if (addresses === 'shown') return whole;
  return masked(
    whole,
    addresses === 'masked' ? undefined : (domain) => isReserved(domain) || domains?.has(domain) === true,
    bcc,
  );
}

/** Checks the arguments of a report. Returns the options. */
export function checkReport(file: unknown, options: EmulatorReportOptions): EmulatorReportOptions {
  check(fileKind, file, 'file');
  return check(reportOptions, options, 'options');
}

/** Writes a report and returns its summary. */
export async function written(
  file: string,
  data: ReportData,
  { failOn }: Pick<EmulatorReportOptions, 'failOn'>,
  writer?: Writer,
): Promise<EmulatorReport> {
  await writeReport(file, { ...data, run: { ...runOf(), ...data.run } }, writer);
  const report = reportOf(file, data);
  judge(report, data.notes ?? [], failOn);
  return report;
}

/** Makes the reports of one emulator. */
export class Reports {
  readonly #recorder: Recorder;
  readonly #now: () => number;
  readonly #tokens: () => Iterable<string>;
  readonly #checked = new CheckedMails();
  readonly #checkedLive = new CheckedMails();
  /** The address of the program under test, as the latest report was told. The live page loads its images at once. */
  site: string | undefined;
  /** The domains of mailboxes: their addresses are shown. */
  readonly domains = new Set<string>();
  readonly #writer = late(newWriter);

  /**
   * @param now - The time of the emulator's clock.
   * @param tokens - The emulator's tokens.
   */
  constructor(recorder: Recorder, now: () => number, tokens: () => Iterable<string>) {
    this.#tokens = tokens;
    this.#recorder = recorder;
    this.#now = now;
  }

  /** The data of everything recorded up to now. */
  data(options: Omit<EmulatorReportOptions, 'failOn'>): Promise<ReportData> {
    return this.#made(options, this.#checked);
  }

  /** The findings for the live page. A link to this machine is no fault there: it leads to the program being developed. */
  async liveFindings(): Promise<Pick<ReportData, 'findings' | 'notes'>> {
    const options = { addresses: 'shown', site: THIS_MACHINE } as const;
    const { findings, notes = [] } = await this.#made(options, this.#checkedLive);
    return { findings, notes };
  }

  async #made(options: Contents, memory: CheckedMails): Promise<ReportData> {
    const writesSource = options.addresses !== 'masked';
    const collected = await collect(this.#recorder, this.#now(), { writesSource, tokens: this.#tokens() });
    return finished(collected, options, memory, this.domains);
  }

  async write(file: string, options: EmulatorReportOptions): Promise<EmulatorReport> {
    this.site = options.site;
    return written(file, await this.data(options), options, this.#writer());
  }

  /** The changes for the live page. */
  live(stateOf: () => LiveState): LiveReport {
    return new LiveReport(this.#recorder, stateOf);
  }

  /** Signals a change outside the records, such as of the clock. */
  touch(): void {
    this.#recorder.changed();
  }

  /** Names what follows in reports, until another name or none is given. */
  mark(name: string | null): void {
    this.#recorder.mark = name ?? undefined;
  }

  /** Calls back for each call that sends emails, and each refused request. */
  follow(tell: (news: News) => void): void {
    this.#recorder.follow((seen, more) => tell(newsOf(seen, more)));
  }

  /** Calls back after each change. */
  onChange(changed: () => void): void {
    this.#recorder.onChange(changed);
  }
}
