/** The keys that one attempt claims: in this process, and in the store. */
import type { Journal, JournalClaim, JournalEntry, JournalRecord, KeyInFlight } from '../../core/journal.ts';
import type { KeyedMail } from './keyed-mail.ts';

/** How an email has ended whose key was claimed. */
export type MailEnd = Pick<JournalRecord, 'state' | 'messageIds'>;

const idOf = (namespace: string, key: string) => JSON.stringify([namespace, key]);

/** For how long an attempt of this process may last is known only to it. */
const SHORT_WAIT_MS = 1_000;

/** A key that this process is sending, as if the store had said so. */
const flying = ({ key, stream }: KeyedMail, { hash, attempt }: KeyInFlight): JournalEntry => ({
  key,
  hash,
  stream,
  state: 'claimed',
  attempt,
  ageMs: 0,
  leaseLeftMs: SHORT_WAIT_MS,
  messageIds: [],
});

/** An attempt, from its claims until it is recorded what became of them. Each attempt of a call has its own. */
export class KeyAttempt {
  readonly id = crypto.randomUUID();
  readonly #journal: Journal;
  #claimed: readonly KeyedMail[] = [];

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /**
   * Claims keys, each by itself. `overOf` names the attempt whose claim of a key may be taken over.
   *
   * @returns for each, in order, undefined if this attempt has it now; otherwise the key as it is
   */
  async claim(
    mails: readonly KeyedMail[],
    leaseMs: number,
    overOf: (key: string) => string | undefined,
  ): Promise<readonly (JournalEntry | undefined)[]> {
    const { namespace, inFlight, store } = this.#journal;
    const entries = new Map<string, JournalEntry | undefined>();
    for (const mail of mails) {
      const other = inFlight.get(idOf(namespace, mail.key));
      if (other) entries.set(mail.key, flying(mail, other));
    }
    const free = mails.filter(({ key }) => !entries.has(key));
    for (const { key, hash } of free) inFlight.set(idOf(namespace, key), { hash, attempt: this.id });
    const claims = free.map(({ key, hash, stream }): JournalClaim => {
      return { namespace, key, hash, stream, attempt: this.id, leaseMs, over: overOf(key) };
    });
    try {
      const found = claims.length > 0 ? await store.claim(claims) : [];
      free.forEach(({ key }, index) => entries.set(key, found[index]));
      this.#claimed = free.filter(({ key }) => !entries.get(key));
    } finally {
      const claimed = new Set(this.#claimed);
      this.#leave(free.filter((mail) => !claimed.has(mail)));
    }
    return mails.map(({ key }) => entries.get(key));
  }

  /** Records what has become of the keys that it has, in turn. */
  async end(endOf: (index: number, key: string) => MailEnd): Promise<void> {
    const claimed = this.#claimed;
    this.#claimed = [];
    const { namespace, store } = this.#journal;
    const records = claimed.map(({ key, stream }, index): JournalRecord => {
      return { namespace, key, stream, attempt: this.id, ...endOf(index, key) };
    });
    try {
      if (records.length > 0) await store.record(records);
    } finally {
      this.#leave(claimed);
    }
  }

  #leave(mails: readonly KeyedMail[]): void {
    const { namespace, inFlight } = this.#journal;
    for (const { key } of mails) inFlight.delete(idOf(namespace, key));
  }
}
