/** Sends one email with a key. */
import type { Decision, KeyedMails, KeyOutcome, RequestKeys, RequestSpec } from '../../core/request.ts';
import type { Issue } from '../../core/errors.ts';
import { joined, type JsonPart } from '../../core/json.ts';
import { invalid } from '../../core/rules.ts';
import { unfinishedMails } from './mail/json.ts';
import type { SendResult } from './types.ts';
import type { Destination, SendingJournal } from '../../core/sending-journal.ts';
import { carryingKey } from './mail/carrying-key.ts';

/** The error for a key without a journal. */
export const journalMissing = (by = 'the option idempotencyKey') =>
  invalid('journal', `is required by ${by}: pass sqliteJournal(db) of email-platform/journal`);

const OPERATION = 'sending.send';

/** The parts of a request that sends an email with a key. `issuesOf` checks an email. */
export function keyedSend<Mail>(
  journal: SendingJournal,
  input: Mail,
  key: string,
  to: Destination,
  issuesOf: (mail: Mail) => readonly Issue[],
): Required<Pick<RequestSpec<SendResult>, 'body' | 'mails' | 'check'>> {
  const { mail, issues } = carryingKey(input, journal.variable, key, '');
  const unfinished = unfinishedMails(OPERATION);
  return {
    body: () => unfinished.marked(mail, ''),
    mails: {
      complete: async (json, signal) => {
        const parts = await unfinished.finished(json, signal);
        const body = joined(parts);
        const keys = journal.keysOf(OPERATION, [await journal.keyFor(key, parts, to)]);
        return { parts: [body], keyed: new KeyedMail(body, keys) };
      },
    },
    check() {
      const others = issuesOf(input);
      return [...others, ...issues.filter(({ path }) => !others.some((other) => other.path === path))];
    },
  };
}

/** An email with its key. */
class KeyedMail implements KeyedMails<SendResult> {
  readonly isOne = true;
  readonly keys: RequestKeys;
  readonly #body: JsonPart;

  constructor(body: JsonPart, keys: RequestKeys) {
    this.#body = body;
    this.keys = keys;
  }

  bodyOf(): JsonPart {
    return this.#body;
  }

  unsent([decision]: readonly Decision[]): SendResult {
    if (decision?.kind === 'refused') throw decision.error;
    const ids = decision?.kind === 'accepted' ? decision.messageIds : [];
    return { success: true, message_ids: [...ids], replayed: true };
  }

  outcomesOf({ message_ids: messageIds }: SendResult): KeyOutcome[] {
    return [{ state: 'accepted', messageIds }];
  }
}
