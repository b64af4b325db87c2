/** The part of the client that handles keys. A journal brings it to its client. */
import type { Keys, KeysOf } from '../../resources/sending/keys/types.ts';
import type { Journal } from '../types.ts';
import { RequestClaim } from './claim.ts';
import { KeyClaims } from './claims.ts';
import { keyedMailOf, mayBeSame, readWritten } from './keyed-mail.ts';
import { LogSearch } from './log-search.ts';
import { settleUnknown } from './settle-unknown.ts';

/** The keys of a journal. `log` is the email log that the client reads. */
export function keysOf(journal: Journal, { log, runtime }: KeysOf): Keys {
  const { variable } = journal;
  const search = new LogSearch(log, runtime, variable);
  return {
    variable,
    baseOf: (batch) => readWritten(batch, ({ base }) => base),
    mailOf: async (key, written, to, base) =>
      keyedMailOf(journal, key, { ...base, ...(await readWritten(written)) }, to),
    mayBeSame: (one, other) => mayBeSame(one.hash, other.hash),
    claimOf: (request) => {
      const claims = new KeyClaims(request.operation, journal, request.mails, search);
      return new RequestClaim(request, claims, runtime);
    },
    settleUnknown: (options) => settleUnknown(journal, search, options),
  };
}
