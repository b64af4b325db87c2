/** One attempt to send emails with keys, as this process and the store of the journal know it. */
import type { Key, KeyOutcome } from '../../../core/request.ts';
import { JournalError } from '../../../core/errors.ts';
import { isRecord } from '../../../core/record.ts';
import type {
  Journal,
  JournalClaim,
  JournalEntry,
  JournalRecord,
  KeyInFlight,
} from '../../../core/journal.ts';
import { idOf } from './unrecorded.ts';

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

/** One claim of the keys of a request, to the record of their outcome. Each claim has a new one. */
export class KeyAttempt {
  readonly id = crypto.randomUUID();
  readonly #journal: Journal;
  #claimed: readonly Key[] = [];

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
    keys: readonly Key[],
    leaseMs: number,
    overOf: (key: string) => string | undefined,
  ): Promise<readonly (JournalEntry | KeyInFlight | undefined)[]> {
    const { namespace, inFlight } = this.#journal;
    const entries = new Map<string, JournalEntry | KeyInFlight | undefined>();
    for (const { key } of keys) {
      const flying = inFlight.get(idOf({ namespace, key }));
      if (flying) entries.set(key, flying);
    }
    const free = keys.filter(({ key }) => !entries.has(key));
    for (const { key, hash } of free) inFlight.set(idOf({ namespace, key }), { hash, attempt: this.id });
    try {
      const results = await this.#claimFree(free, leaseMs, overOf);
      free.forEach(({ key }, index) => entries.set(key, results[index]));
      this.#claimed = free.filter(({ key }) => !entries.get(key));
    } finally {
      const claimed = new Set(this.#claimed);
      this.#leave(free.filter((key) => !claimed.has(key)));
    }
    return keys.map(({ key }) => entries.get(key));
  }

  /** Claims keys that are not in flight in this process. */
  async #claimFree(
    keys: readonly Key[],
    leaseMs: number,
    overOf: (key: string) => string | undefined,
  ): Promise<readonly (JournalEntry | undefined)[]> {
    if (keys.length === 0) return [];
    const { namespace, store, unrecorded } = this.#journal;
    await unrecorded.recordOf(
      store,
      keys.map(({ key }) => ({ namespace, key })),
    );
    const claims = keys.map(({ key, hash, stream }): JournalClaim => {
      // A claim is not taken over while its outcome is known here, but not in the store.
      const over = unrecorded.has({ namespace, key }) ? undefined : overOf(key);
      return { namespace, key, hash, stream, attempt: this.id, leaseMs, over };
    });
    try {
      const results = await store.claim(claims);
      checkAnswers(claims, results);
      return results;
    } catch (error) {
      // The claims may be in the store, and nothing will be sent.
      unrecorded.keep(keys.map((key) => this.#recordOf(key, { state: 'released', messageIds: [] })));
      throw error;
    } finally {
      unrecorded.recordAll(store);
    }
  }

  /** Records the outcome of each key that this attempt claimed, in order. */
  async end(outcomeOf: (index: number, key: string) => KeyOutcome): Promise<void> {
    const claimed = this.#claimed;
    this.#claimed = [];
    const records = claimed.map((key, index) => this.#recordOf(key, outcomeOf(index, key.key)));
    if (records.length === 0) return;
    const { store, unrecorded } = this.#journal;
    try {
      await store.record(records);
      unrecorded.recordAll(store);
    } catch (error) {
      unrecorded.keep(records);
      throw error;
    } finally {
      this.#leave(claimed);
    }
  }

  #recordOf({ key, stream }: Key, outcome: KeyOutcome): JournalRecord {
    return { namespace: this.#journal.namespace, key, stream, attempt: this.id, ...outcome };
  }

  #leave(keys: readonly Key[]): void {
    const { namespace, inFlight } = this.#journal;
    for (const { key } of keys) inFlight.delete(idOf({ namespace, key }));
  }
}
