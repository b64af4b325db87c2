/**
 * The part of the client that handles keys. A journal brings it to its client. From above: the {@link Decisions} of
 * each request about its keys, and a {@link KeyAttempt} for each claim.
 */
import type { Runtime } from '../../../core/runtime.ts';
import type { SearchedLog, SendingJournal } from '../../../core/sending-journal.ts';
import type { Journal } from '../../../core/journal.ts';
import { Decisions } from './decisions.ts';
import { keyFor, mayBeSame, readWritten } from './key.ts';
import { LogSearch } from './log-search.ts';
import { settleUnknown } from './settle-unknown.ts';

/** The journal of a client. `log` is the email log that the client reads. */
export function forSending(journal: Journal, log: SearchedLog, runtime: Runtime): SendingJournal {
  const { variable } = journal;
  const search = new LogSearch(log, runtime, variable);
  return {
    variable,
    baseOf: (batch) => readWritten(batch, ({ base }) => base),
    keyFor: async (key, written, to, base) =>
      keyFor(journal, key, { ...base, ...(await readWritten(written)) }, to),
    mayBeSame: (one, other) => mayBeSame(one.hash, other.hash),
    keysOf: (operation, keys) => new Decisions(operation, journal, keys, search),
    settleUnknown: (options) => settleUnknown(journal, search, options),
  };
}
