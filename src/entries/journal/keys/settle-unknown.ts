/** Settles keys whose outcome is unknown, by reading the log once for all of them. */
import { journalFailure } from '../../../core/errors.ts';
import { tell } from '../../../core/tried.ts';
import type { SettleOptions, SettleResult } from '../../../core/settle-types.ts';
import type { Journal } from '../../../core/journal.ts';
import type { LogSearch } from './log-search.ts';

/** Settles the keys of a journal. The caller has checked the options. */
export async function settleUnknown(
  { store, namespace }: Journal,
  search: LogSearch,
  { onProgress, ...options }: SettleOptions,
): Promise<SettleResult> {
  const open = await store.open(namespace).catch(failed);
  const entries = open.filter(({ stream }) => stream !== 'sandbox');
  const now = search.wallNow();
  const wanted = entries.map(({ key, stream, ageMs }) => ({
    key,
    stream,
    claimedAt: now - ageMs,
    recipients: undefined,
  }));
  const matches = search.matchesOf(wanted);
  let read = 0;
  // Records each page at once: reading may take an hour, and the process may end before.
  if (wanted.length > 0)
    for await (const page of search.findAll(wanted, matches, options)) {
      const records = matches.recordsOf(
        namespace,
        entries.filter(({ key }) => page.keys.has(key)),
      );
      if (records.length > 0) await store.record(records).catch(failed);
      read += page.read;
      tell(onProgress, () => ({ read, open: open.length, accepted: matches.size }));
    }
  const found = matches.recordsOf(namespace, entries);
  // The store knows the messages of forgotten keys, which settle nothing.
  const left = new Set(
    found.length === 0 ? [] : (await store.open(namespace).catch(failed)).map(({ key }) => key),
  );
  const accepted = found.filter(({ key }) => !left.has(key));
  const isAccepted = new Set(accepted.map(({ key }) => key));
  return {
    accepted: accepted.map(({ key, messageIds }) => ({ key, message_ids: [...messageIds] })),
    unknown: open.map(({ key }) => key).filter((key) => !isAccepted.has(key)),
  };
}

const failed = (cause: unknown): never => {
  throw journalFailure('sending.settleUnknown', cause);
};
