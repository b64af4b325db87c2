import { check, objectOf } from '../declare/kind.ts';
import { compareData } from './compare/compare.ts';
import { markdownOf } from './compare/text.ts';
import type { ReportFinding, ReportKindChange, ReportPartChange } from './data/data.ts';
import { filesKind, joined } from './join.ts';
import { dataIn } from './file/read.ts';
import { fileKind } from './report-options.ts';
import { writeReport } from './file/write.ts';

/** Files that a comparison writes. */
export interface CompareReportsOptions {
  /** The page of the later run, opened on what changed. */
  out?: string;
  /** A file to which a summary in Markdown is appended, of at most 60 kB: `$GITHUB_STEP_SUMMARY`. */
  summary?: string;
}

/** A part of an email that changed. */
export interface ReportChange extends ReportPartChange {
  /** The part of the email. */
  readonly part: ReportPartChange['part'];
  /**
   * The whole part, HTML with the attributes of each tag in order; of links, headers and attachments a line for each; `null` if the
   * email had none.
   */
  readonly before: string | null;
  /** The same of the later run. */
  readonly after: string | null;
  /** The differing places in both texts: the first character, and the one after the last. */
  readonly marks: {
    /** The places in the earlier text. */
    readonly before: readonly (readonly [from: number, to: number])[];
    /** The places in the later text. */
    readonly after: readonly (readonly [from: number, to: number])[];
  };
  /** The number of differing places. */
  readonly places: number;
}

/** A kind of email in two runs. */
export interface ComparedKind extends Pick<ReportKindChange, 'id' | 'name' | 'state'> {
  /** The name of the kind with what it is known by, such as `template:Receipt`. */
  readonly id: string;
  /** Its name, such as `Receipt`. */
  readonly name: string;
  /**
   * `not_compared` if emails may differ and are too few to tell; `not_kept` if a report counts emails of the kind and has none
   * of them, because of its limits.
   */
  readonly state: 'same' | 'changed' | 'new' | 'gone' | 'not_kept' | 'not_compared';
  /** Empty unless the state is `changed` or `not_compared`. */
  readonly changes: readonly ReportChange[];
  /** Short codes and numbers that differ, where the kind is `same` and has too few emails to tell a value from fixed text. */
  readonly values: readonly (readonly [before: string, after: string])[];
}

/** The differences between runs. */
export interface ReportComparison {
  /** The changed kinds first, then the new ones and those that are gone. */
  readonly kinds: readonly ComparedKind[];
  /** The findings that only one of the runs has. */
  readonly findings: {
    /** The findings of the later run alone. */
    readonly added: readonly ReportFinding[];
    /** The findings that the later run has no more. */
    readonly gone: readonly ReportFinding[];
  };
}

const optionsKind = objectOf<CompareReportsOptions>({ out: fileKind, summary: fileKind });

/**
 * Compares the emails of a run with those of earlier runs, kind by kind. Whatever varies from run to run is no change: ids,
 * dates, codes and tokens by their form, and other values, such as names, as far as several emails of a kind show it.
 *
 * @param before - The reports of earlier runs. With several, a word that differs among them is no change.
 * @param after - The report of the later run, or those of its workers.
 * @throws `Error` if a file cannot be read or written, is not a report, or has another version of its format; `TypeError` or
 * `RangeError` for wrong arguments. The promise rejects with it.
 *
 * @example
 * ```ts
 * const { kinds } = await compareReports(['main.html'], 'pr.html', { out: 'changes.html' });
 * ```
 */
export async function compareReports(
  before: readonly string[],
  after: string | readonly string[],
  options: CompareReportsOptions = {},
): Promise<ReportComparison> {
  const later = typeof after === 'string' ? [after] : after;
  check(filesKind, before, 'before');
  check(filesKind, later, 'after');
  const { out, summary } = check(optionsKind, options, 'options');
  const runs = [];
  for (const file of before) runs.push(await dataIn(file));
  const own = [];
  for (const file of later) own.push(await dataIn(file));
  const [only] = own;
  const data = own.length === 1 && only !== undefined ? only : joined(own);
  const changes = compareData(runs, data);
  if (out !== undefined) await writeReport(out, { ...data, changes });
  if (summary !== undefined) await appended(summary, markdownOf(changes));
  return {
    kinds: changes.kinds.map(({ before: _, after: __, ...kind }) => kind),
    findings: changes.findings,
  };
}

async function appended(file: string, text: string): Promise<void> {
  const { appendFile } = await import('node:fs/promises');
  try {
    await appendFile(file, text);
  } catch (cause) {
    const { message } = Object(cause) as { message?: unknown };
    throw new Error(`The summary cannot be written to ${file}: ${String(message)}`, { cause });
  }
}
