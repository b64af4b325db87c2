import { late } from '../../kit/late.ts';
import { AuthenticationError, PermissionDeniedError, UnprocessableError } from '../../core/api-errors.ts';
import type { CallSite } from '../../core/call-site.ts';
import type { Runtime } from '../../core/runtime.ts';
import { EmailPlatformError } from '../../core/error-base.ts';
import { ConfigurationError, refuseCall } from '../../core/errors.ts';
import { tell } from '../../core/tried.ts';
import { optionIssues, optionsWith } from '../../core/request-options.ts';
import type { RequestOptions } from '../../core/request.ts';
import { isRecord } from '../../core/record.ts';
import { booleanRule, durationRule, functionRule, issuesAt, wholeFrom } from '../../core/rules.ts';
import type {
  ContactImport,
  ContactImportCreateParams,
  ContactImportItem,
  ImportedPart,
  ImportOutcome,
  ImportRunOptions,
  RejectedContact,
  SkippedContact,
} from './import-types.ts';
import { MAX_IMPORTED } from './rules.ts';
import type { WaitOptions } from '../base/wait-options.ts';
import { sourceRule, type Source, type SourceReader } from '../base/source-reader.ts';
import { withoutRefused, withoutRejected } from './skipped-contacts.ts';
import { SourceRun } from '../base/source-run.ts';

const OPERATION = 'contacts.imports.run';
/** The number of rejections after which a run gives up an import: further ones are likely. */
const MAX_REJECTIONS = 20;

const optionsRule = late(() =>
  optionsWith({
    pollMs: durationRule,
    contactsPerImport: wholeFrom(1, MAX_IMPORTED),
    skipInvalid: booleanRule,
    onProgress: functionRule,
  }),
);

/** The methods of `contacts.imports` that a run needs. */
interface Importer {
  create(params: ContactImportCreateParams, options: RequestOptions): Promise<ContactImport>;
  waitUntilFinished(id: number, options: WaitOptions<ContactImport>): Promise<ContactImport>;
}

/** The contacts that caused the rejection of an import. */
function rejectedContacts({ body }: UnprocessableError): RejectedContact[] {
  const { errors } = Object(body) as { readonly errors?: unknown };
  return [errors].flat().filter((each): each is RejectedContact => isRecord(each) && 'email' in each);
}

/** Runs one import. */
async function outcomeOf(
  part: Omit<ImportedPart, 'skipped'>,
  importer: Importer,
  options: WaitOptions<ContactImport>,
  skipInvalid: boolean,
): Promise<ImportOutcome> {
  const { pollMs, ...callOptions } = options;
  const all = part.contacts.map((contact, at) => ({ index: part.first + at, contact }));
  const checked = skipInvalid ? withoutRefused(all) : { rows: all, skipped: [] };
  // If all are refused, the import is sent for its reasons.
  let rows = checked.rows.length > 0 ? checked.rows : all;
  let skipped: SkippedContact[] = checked.rows.length > 0 ? [...checked.skipped] : [];
  // Sorted once, at the end of the import, because the service may reject it several times before.
  const ended = () => ({ ...part, skipped: skipped.sort((one, other) => one.index - other.index) });
  for (let rejections = 1; ; rejections += 1) {
    let begun: ContactImport | undefined;
    try {
      begun = await importer.create({ contacts: rows.map(({ contact }) => contact) }, callOptions);
      const found = await importer.waitUntilFinished(begun.id, options);
      return { ...ended(), status: found.status as 'finished' | 'failed', import: found };
    } catch (error) {
      // A value that a framework threw to leave its rendering ends the loop.
      if (!(error instanceof EmailPlatformError)) throw error;
      if (begun || error.effect === 'unknown') return { ...ended(), status: 'unknown', import: begun, error };
      if (!(error instanceof UnprocessableError)) return { ...ended(), status: 'not_sent', error };
      const errors = rejectedContacts(error);
      const left = withoutRejected(rows, errors);
      const isWorthwhile = left.skipped.length > 0 && left.rows.length > 0 && rejections < MAX_REJECTIONS;
      if (!skipInvalid || !isWorthwhile) return { ...ended(), status: 'rejected', errors, error };
      rows = left.rows;
      skipped = skipped.concat(left.skipped);
    }
  }
}

/** Reads contacts in parts of at most `size`. */
async function* partsOf(
  items: SourceReader<ContactImportItem>,
  size: number,
): AsyncGenerator<ContactImportItem[], void, undefined> {
  let contacts: ContactImportItem[] = [];
  try {
    for await (const { item } of items) {
      contacts.push(item);
      if (contacts.length < size) continue;
      yield contacts;
      contacts = [];
    }
  } finally {
    if (contacts.length > 0) yield contacts;
  }
}

/** Imports any number of contacts, one import after the other, and yields the outcome of each. */
export function runImports(
  importer: Importer,
  runtime: Runtime,
  site: CallSite,
  source: Source<ContactImportItem>,
  allOptions: ImportRunOptions = {},
): AsyncGenerator<ImportOutcome, void, undefined> {
  const run = new SourceRun<ImportOutcome>(OPERATION, runtime, site);
  return run.outcomes(() => {
    refuseCall(OPERATION, [
      ...optionIssues(allOptions, optionsRule()),
      ...issuesAt('contacts', sourceRule(source)),
    ]);
    const { contactsPerImport = MAX_IMPORTED, skipInvalid = false, onProgress, ...options } = allOptions;
    const counts = { finished: 0, failed: 0, rejected: 0, not_sent: 0, unknown: 0, skipped: 0 };
    const progress = { done: 0, ...counts, imports: 0 };
    return {
      source,
      signal: options.signal,
      concurrency: 1,
      parts: (items) => partsOf(items, contactsPerImport),
      async send(contacts) {
        const part = { index: progress.imports, first: progress.done, contacts };
        const outcome: ImportOutcome = run.unsent
          ? { ...part, skipped: [], status: 'not_sent', error: run.unsent }
          : await outcomeOf(part, importer, options, skipInvalid);
        const { error, status, skipped } = outcome;
        if (error instanceof ConfigurationError && part.index === 0) throw error;
        if (error instanceof AuthenticationError || error instanceof PermissionDeniedError)
          run.unsent ??= error;
        progress.imports += 1;
        progress.done += contacts.length;
        progress[status] += contacts.length - skipped.length;
        progress.skipped += skipped.length;
        tell(onProgress, () => ({ ...progress }));
        return [outcome];
      },
    };
  });
}
