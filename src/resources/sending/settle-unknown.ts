/** Finds out what became of keys whose outcome is unknown, by reading the log once for all of them. */
import type { CallSite } from '../../core/call-site.ts';
import { thrownFrom } from '../../core/error-base.ts';
import { JournalError, refuseCall } from '../../core/errors.ts';
import { tell } from '../../core/observers.ts';
import { isolated, isolatedIfPlain } from '../../core/isolated.ts';
import { optionIssues, optionsWith } from '../../core/request-options.ts';
import { functionRule } from '../../core/rules.ts';
import { journalMissing, type KeyContext } from './keyed-send.ts';
import { recordsOf } from './log-search.ts';
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
  const found = new Map<string, string[]>();
  let failure: { readonly thrown: unknown } | undefined;
  if (entries.length > 0) {
    const now = search.wallNow();
    const wanted = entries.map(({ key, stream, ageMs }) => ({ key, stream, claimedAt: now - ageMs }));
    const since = wanted.reduce((first, { claimedAt }) => Math.min(first, claimedAt), now);
    let read = 0;
    try {
      for await (const { messages } of search.pages({}, since, options)) {
        search.note(messages, wanted, found);
        read += messages.length;
        tell(onProgress, () => ({ read, open: open.length, accepted: found.size }));
      }
    } catch (thrown) {
      failure = { thrown };
    }
  }
  const settled = recordsOf(namespace, entries, found);
  // What was found before the log failed is settled all the same.
  if (settled.length > 0) await store.record(settled).catch(failed);
  if (failure) throw failure.thrown;
  return {
    accepted: settled.map(({ key, messageIds }) => ({ key, message_ids: [...messageIds] })),
    unknown: open.map(({ key }) => key).filter((key) => !found.has(key)),
  };
}

const failed = (cause: unknown): never => {
  throw new JournalError(`${OPERATION}: the journal failed`, { cause });
};
