/** Claims keys for one attempt, in this process and in the store. */
import { JournalError } from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';
import type { KeyedMail, MailEnd } from '../../resources/sending/keys/types.ts';
import type { Journal, JournalClaim, JournalEntry, JournalRecord, KeyInFlight } from '../types.ts';

/** Throws unless the store has answered about each key, because no answer would count as a claim. */
function checkAnswers(claims: readonly JournalClaim[], results: readonly (JournalEntry | undefined)[]): void {
  const isAnswered = ({ key }: JournalClaim, index: number) => {
    const result: unknown = results[index];
    return index in results && (result === undefined || (isRecord(result) && result.key === key));
  };
  if (Array.isArray(results) && results.length === claims.length && claims.every(isAnswered)) return;
  throw new JournalError(
    'the store of the journal must return, for each claim and in order, undefined or the entry of the key',
  );
}

const idOf = (namespace: string, key: string) => JSON.stringify([namespace, key]);

/** One attempt, from the claim of its keys to the record of their outcome. A call has a new one for each attempt. */
export class KeyAttempt {
  readonly id = crypto.randomUUID();
  readonly #journal: Journal;
  #claimed: readonly KeyedMail[] = [];

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /**
   * Claims each key independently. `overOf` gives the id of an attempt whose claim of the key may be taken over.
   *
   * @returns for each key, in order, undefined if this attempt claimed it; otherwise its entry in this process or in the
   * store
   */
  async claim(
    mails: readonly KeyedMail[],
    leaseMs: number,
    overOf: (key: string) => string | undefined,
  ): Promise<readonly (JournalEntry | KeyInFlight | undefined)[]> {
    const { namespace, inFlight, store } = this.#journal;
    const entries = new Map<string, JournalEntry | KeyInFlight | undefined>();
    for (const { key } of mails) {
      const flying = inFlight.get(idOf(namespace, key));
      if (flying) entries.set(key, flying);
    }
    const free = mails.filter(({ key }) => !entries.has(key));
    for (const { key, hash } of free) inFlight.set(idOf(namespace, key), { hash, attempt: this.id });
    const claims = free.map(({ key, hash, stream }): JournalClaim => {
      return { namespace, key, hash, stream, attempt: this.id, leaseMs, over: overOf(key) };
    });
    try {
      const results = claims.length > 0 ? await store.claim(claims) : [];
      checkAnswers(claims, results);
      free.forEach(({ key }, index) => entries.set(key, results[index]));
      this.#claimed = free.filter(({ key }) => !entries.get(key));
    } finally {
      const claimed = new Set(this.#claimed);
      this.#leave(free.filter((mail) => !claimed.has(mail)));
    }
    return mails.map(({ key }) => entries.get(key));
  }

  /** Records the outcome of each key that this attempt claimed, in order. */
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
