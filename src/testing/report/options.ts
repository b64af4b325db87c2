import { objectOf, oneOf, textLike, type Kind } from '../checks/kind.ts';
import { CHECK_NAMES, type ReportCheck } from './checks/all.ts';

/** The options of a report. */
export interface EmulatorReportOptions {
  /**
   * Rejects if there are findings: of the level `error`, or of any level (`warn`). The file is written all the same, and
   * what was found is printed.
   */
  failOn?: 'error' | 'warn';
  /** The address of the program under test, such as `http://localhost:3000`. Links there are counted, and are no faults. */
  site?: string;
  /**
   * Whether the addresses of recipients stand in the file. Masked, they are hidden everywhere, and attachments are left
   * out.
   * @defaultValue 'masked'
   */
  addresses?: 'masked' | 'shown';
  /** The checks to leave out: `{ alt: false }`. */
  checks?: Partial<Record<ReportCheck, false>>;
}

const isOff: Kind<false> = { what: 'false', hasType: (value) => value === false };

/** Whether links may be under an address. */
export const isSite = (value: string): boolean =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** An address that links may be under. */
export const siteKind = textLike('a URL that begins with http: or https:', isSite);

export const addressesKind = oneOf(['masked', 'shown']);

const kinds = {
  failOn: oneOf(['error', 'warn']),
  site: siteKind,
  addresses: addressesKind,
  checks: objectOf<Record<ReportCheck, false>>(
    Object.fromEntries(CHECK_NAMES.map((name) => [name, isOff])) as Record<ReportCheck, Kind>,
  ),
};

/** The options of `emulator.report`. */
export const reportOptions = objectOf<EmulatorReportOptions>(kinds);

/** The kinds of the options, for a function that takes others, too. */
export const reportKinds = kinds;

/** The name of a file. */
export const fileKind = textLike('the name of a file, such as mails.html', (value) => value.trim() !== '');
