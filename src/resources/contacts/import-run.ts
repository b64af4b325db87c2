import { AuthenticationError, PermissionDeniedError, UnprocessableError } from '../../core/api-errors.ts';
import type { CallSite } from '../../core/call-site.ts';
import type { Clock } from '../../core/clock.ts';
import type { EmailPlatformError } from '../../core/error-base.ts';
import { ConfigurationError, refuseCall } from '../../core/errors.ts';
import { tell } from '../../core/observers.ts';
import { optionIssues, optionsWith } from '../../core/request-options.ts';
import type { RequestOptions } from '../../core/request.ts';
import { durationRule, functionRule, issuesAt, wholeFrom } from '../../core/rules.ts';
import type {
  ContactImport,
  ContactImportCreateParams,
  ContactImportItem,
  ImportedPart,
  ImportOutcome,
  ImportRunOptions,
  RejectedContact,
} from './import-types.ts';
import { MAX_IMPORTED } from './rules.ts';
import type { WaitOptions } from '../wait-options.ts';
import { sourceRule, type Source, type SourceReader } from '../source-reader.ts';
import { SourceRun } from '../source-run.ts';

const OPERATION = 'contacts.imports.run';

const optionsRule = optionsWith({
  pollMs: durationRule,
  contactsPerImport: wholeFrom(1, MAX_IMPORTED),
  onProgress: functionRule,
});

/** What a run needs of `contacts.imports`. */
interface Importer {
  create(params: ContactImportCreateParams, options: RequestOptions): Promise<ContactImport>;
  waitUntilFinished(id: number, options: WaitOptions<ContactImport>): Promise<ContactImport>;
}

/** Runs one import. */
async function outcomeOf(
  part: ImportedPart,
  importer: Importer,
  options: WaitOptions<ContactImport>,
): Promise<ImportOutcome> {
  let begun: ContactImport | undefined;
  try {
    const { pollMs, ...callOptions } = options;
    begun = await importer.create({ contacts: part.contacts }, callOptions);
    const ended = await importer.waitUntilFinished(begun.id, options);
    return { ...part, status: ended.status as 'finished' | 'failed', import: ended };
  } catch (thrown) {
    const error = thrown as EmailPlatformError;
    if (begun || error.effect === 'unknown') return { ...part, status: 'unknown', import: begun, error };
    if (!(error instanceof UnprocessableError)) return { ...part, status: 'not_sent', error };
    const { errors } = Object(error.body) as { errors?: RejectedContact[] };
    return { ...part, status: 'rejected', errors: Array.isArray(errors) ? errors : [], error };
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
  clock: Clock,
  site: CallSite,
  source: Source<ContactImportItem>,
  allOptions: ImportRunOptions = {},
): AsyncGenerator<ImportOutcome, void, undefined> {
  const run = new SourceRun<ImportOutcome>(OPERATION, clock, site);
  return run.outcomes(() => {
    refuseCall(OPERATION, [
      ...optionIssues(allOptions, optionsRule),
      ...issuesAt('contacts', sourceRule(source)),
    ]);
    const { contactsPerImport = MAX_IMPORTED, onProgress, ...options } = allOptions;
    const progress = { done: 0, finished: 0, failed: 0, rejected: 0, not_sent: 0, unknown: 0, imports: 0 };
    return {
      source,
      signal: options.signal,
      concurrency: 1,
      parts: (items) => partsOf(items, contactsPerImport),
      async send(contacts) {
        const part = { index: progress.imports, first: progress.done, contacts };
        const outcome: ImportOutcome = run.unsent
          ? { ...part, status: 'not_sent', error: run.unsent }
          : await outcomeOf(part, importer, options);
        const { error, status } = outcome;
        if (error instanceof ConfigurationError && part.index === 0) throw error;
        if (error instanceof AuthenticationError || error instanceof PermissionDeniedError)
          run.unsent ??= error;
        progress.imports += 1;
        progress.done += contacts.length;
        progress[status] += contacts.length;
        tell(onProgress, () => ({ ...progress }));
        return [outcome];
      },
    };
  });
}
