import { notBlank, objectOf, oneOf, textLike, webUrl, type Kind } from '../declare/kind.ts';
import { CHECK_NAMES, type ReportCheck } from './checks/all.ts';

/** The options of a report. */
export interface EmulatorReportOptions {
  /**
   * Rejects if the report has findings: of the level `error`, or of any level (`warn`). The file is still written, and the
   * findings are printed.
   */
  failOn?: 'error' | 'warn';
  /** The address of the program under test, such as `http://localhost:3000`. Links to it are counted and are not faults. */
  site?: string;
  /**
   * Whether the file shows emails whole (`shown`), or without addresses and tokens (`masked`).
   * @defaultValue `masked` for an email with a recipient whose domain is neither reserved, such as `example.org`, nor the
   * mailbox's own. A report of a test inbox masks every email.
   */
  addresses?: 'masked' | 'shown';
  /**
   * The title of the report.
   * @defaultValue the repository, as the environment of CI names it
   */
  title?: string;
  /** The checks to switch off: `{ alt: false }`. */
  checks?: Partial<Record<ReportCheck, false>>;
}

const isOff: Kind<false> = { what: 'false', hasType: (value) => value === false };

/** The kinds of the options, for functions with further options. */
export const reportKinds = {
  failOn: oneOf(['error', 'warn']),
  site: webUrl,
  addresses: oneOf(['masked', 'shown']),
  title: notBlank,
  checks: objectOf<Record<ReportCheck, false>>(
    Object.fromEntries(CHECK_NAMES.map((name) => [name, isOff])) as Record<ReportCheck, Kind>,
  ),
};

/** The options of `emulator.report`. */
export const reportOptions = objectOf<EmulatorReportOptions>(reportKinds);

/** The name of a file. */
export const fileKind = textLike('the name of a file, such as mails.html', (value) => value.trim() !== '');
