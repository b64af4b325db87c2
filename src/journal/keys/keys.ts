/**
 * The part of the client that handles keys. A journal brings it to its client. From above: a {@link KeyClaim} for each
 * request, its {@link Decisions} about each key, and a {@link ClaimStore} for each attempt.
 */
import type { Runtime } from '../../core/runtime.ts';
import type { Keys, SearchedLog } from '../../resources/sending/keys/types.ts';
import type { Journal } from '../types.ts';
import { KeyClaim } from './claim.ts';
import { Decisions } from './decisions.ts';
import { keyedMailOf, mayBeSame, readWritten } from './keyed-mail.ts';
import { LogSearch } from './log-search.ts';
import { settleUnknown } from './settle-unknown.ts';

/** The keys of a journal. `log` is the email log that the client reads. */
export function keysOf(journal: Journal, log: SearchedLog, runtime: Runtime): Keys {
  const { variable } = journal;
  const search = new LogSearch(log, runtime, variable);
  return {
    variable,
    baseOf: (batch) => readWritten(batch, ({ base }) => base),
    mailOf: async (key, written, to, base) =>
      keyedMailOf(journal, key, { ...base, ...(await readWritten(written)) }, to),
    mayBeSame: (one, other) => mayBeSame(one.hash, other.hash),
    claimOf: (request) => {
      const decisions = new Decisions(request.operation, journal, request.mails, search);
      return new KeyClaim(request, decisions, runtime);
    },
    settleUnknown: (options) => settleUnknown(journal, search, options),
  };
}
