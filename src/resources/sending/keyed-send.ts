/** One email that is sent with a key. */
import type { Issue } from '../../core/errors.ts';
import type { Journal } from '../../core/journal.ts';
import { joined } from '../../core/json-parts.ts';
import type { Claim, RequestSpec } from '../../core/request.ts';
import { invalid } from '../../core/rules.ts';
import { KeyClaims } from './key-claims.ts';
import { carryingKey, keyedMailOf, readWritten, type Destination, type KeyedMail } from './keyed-mail.ts';
import type { LogSearch } from './log-search.ts';
import { unfinishedMails } from './mail-json.ts';
import type { SendResult } from './types.ts';

/** A client's journal, and its log to settle keys by. */
export interface KeyContext {
  readonly journal: Journal;
  readonly search: LogSearch;
}

/** The error for a key where there is nowhere to keep it. */
export const journalMissing = (by = 'the option idempotencyKey') =>
  invalid('journal', `is required by ${by}: sqliteJournal(db) of email-platform/journal makes one`);

const OPERATION = 'sending.send';

/** Of a request that sends an email with a key. `issuesOf` is what is wrong with an email. */
export function keyedSend<Mail>(
  { journal, search }: KeyContext,
  given: Mail,
  key: string,
  to: Destination,
  issuesOf: (mail: Mail) => readonly Issue[],
): Required<Pick<RequestSpec<SendResult>, 'body' | 'completeBody' | 'check' | 'claim'>> {
  const { mail, issues } = carryingKey(given, journal, key, '');
  const unfinished = unfinishedMails(OPERATION);
  let keyed: KeyedMail;
  let claims: KeyClaims | undefined;
  const claim: Claim<SendResult> = {
    async take(leaseMs) {
      claims ??= new KeyClaims(OPERATION, journal, [keyed], search);
      const taken = await claims.take(leaseMs);
      if (taken.kind === 'unsettled') return { ...taken, mayHaveActed: true };
      const [finding] = taken.findings;
      if (finding?.kind === 'refused') throw finding.error;
      if (finding?.kind === 'accepted') {
        const result: SendResult = { success: true, message_ids: [...finding.messageIds], replayed: true };
        return { kind: 'answered', result };
      }
      return {
        kind: 'taken',
        body: undefined,
        record: (end) =>
          end.kind === 'answered'
            ? taken.answered([{ state: 'accepted', messageIds: end.result.message_ids }])
            : taken.failed(end.effect),
      };
    },
  };
  return {
    body: () => unfinished.marked(mail, ''),
    async completeBody(json, signal) {
      const parts = await unfinished.finished(json, signal);
      keyed = await keyedMailOf(journal, key, await readWritten(parts), to);
      return joined(parts);
    },
    check() {
      const others = issuesOf(given);
      return [...others, ...issues.filter(({ path }) => !others.some((other) => other.path === path))];
    },
    claim,
  };
}
