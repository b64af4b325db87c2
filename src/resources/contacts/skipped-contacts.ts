import { issuesIn } from '../../core/rules.ts';
import type { ContactImportItem, RejectedContact, SkippedContact } from './import-types.ts';
import { importItemRule } from './rules.ts';

/** A contact, and its position in the input. */
export type Row = Omit<SkippedContact, 'errors'>;

/** The contacts of an import: the ones to send, and the skipped ones. */
export interface Sorted {
  readonly rows: readonly Row[];
  readonly skipped: readonly SkippedContact[];
}

/** Leaves out the contacts that have errors. */
function sorted(
  rows: readonly Row[],
  errorsOf: (contact: ContactImportItem) => SkippedContact['errors'] | undefined,
) {
  const left: Row[] = [];
  const skipped: SkippedContact[] = [];
  for (const row of rows) {
    const errors = errorsOf(row.contact);
    if (errors) skipped.push({ ...row, errors });
    else left.push(row);
  }
  return { rows: left, skipped };
}

/** Leaves out the contacts that this client would refuse. */
export const withoutRefused = (rows: readonly Row[]): Sorted =>
  sorted(rows, (contact) => {
    const errors: Record<string, string[]> = {};
    for (const { path, message } of issuesIn('', () => importItemRule()(contact)))
      (errors[/\w+/.exec(path)?.[0] ?? 'base'] ??= []).push(message);
    return Object.keys(errors).length > 0 ? errors : undefined;
  });

/** An address in the form for comparison: the service may change its case. */
const written = (email: unknown) => (typeof email === 'string' ? email.trim().toLowerCase() : '');

/** Leaves out the contacts that the service has named. */
export function withoutRejected(rows: readonly Row[], rejected: readonly RejectedContact[]): Sorted {
  const named = new Map(rejected.map(({ email, errors = {} }) => [written(email), errors]));
  return sorted(rows, ({ email }) => named.get(written(email)));
}
