/** Finds out what became of keys whose outcome is unknown, by reading the log once for all of them. */
import type { CallSite } from '../../core/call-site.ts';
import { thrownFrom } from '../../core/error-base.ts';
import { JournalError, refuseCall } from '../../core/errors.ts';
import { tell } from '../../core/tried.ts';
import { isolated, isolatedIfPlain } from '../../core/isolated.ts';
import { optionIssues, optionsWith } from '../../core/request-options.ts';
import { functionRule } from '../../core/rules.ts';
import { journalMissing, type KeyContext } from './keyed-send.ts';
import type { SettleOptions, SettleResult } from './settle-types.ts';

const OPERATION = 'sending.settleUnknown';

const optionsRule = optionsWith<Pick<SettleOptions, 'onProgress'>>({ onProgress: functionRule });

export async function settleUnknown(
  keys: KeyContext | undefined,
  site: CallSite,
  options?: SettleOptions,
): Promise<SettleResult> {
  try {
    if (!keys) throw journalMissing(OPERATION);
    return await settle(keys, options);
  } catch (error) {
    throw thrownFrom(site, error);
  }
}

async function settle(
  { journal: { store, namespace }, search }: KeyContext,
  given: SettleOptions = {},
): Promise<SettleResult> {
  refuseCall(OPERATION, optionIssues(given, optionsRule));
  const { onProgress, ...options } = isolated(isolatedIfPlain(given));
  const open = await store.open(namespace).catch(failed);
  const entries = open.filter(({ stream }) => stream !== 'sandbox');
  const now = search.wallNow();
  const wanted = entries.map(({ key, stream, ageMs }) => ({ key, stream, claimedAt: now - ageMs }));
  const matches = search.matchesOf(wanted);
  let read = 0;
  // Recorded page by page: reading may take an hour, and the process may not live that long.
  if (wanted.length > 0)
    for await (const page of search.findAll(wanted, matches, options)) {
      const known = matches.recordsOf(
        namespace,
        entries.filter(({ key }) => page.keys.has(key)),
      );
      if (known.length > 0) await store.record(known).catch(failed);
      read += page.read;
      tell(onProgress, () => ({ read, open: open.length, accepted: matches.size }));
    }
  return {
    accepted: matches
      .recordsOf(namespace, entries)
      .map(({ key, messageIds }) => ({ key, message_ids: [...messageIds] })),
    unknown: open.map(({ key }) => key).filter((key) => !matches.idsOf(key)),
  };
}

const failed = (cause: unknown): never => {
  throw new JournalError(`${OPERATION}: the journal failed`, { cause });
};
