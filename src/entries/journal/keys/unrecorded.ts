import { ignoringFailure } from '../../../core/tried.ts';
import type { JournalRecord, JournalStore, UnrecordedOutcomes } from '../../../core/journal.ts';

type KeyId = Pick<JournalRecord, 'namespace' | 'key'>;

/** Identifies a key. */
export const idOf = ({ namespace, key }: KeyId): string => JSON.stringify([namespace, key]);

/** Limits the memory during a long outage. A key that is left out counts as one whose email may have been sent. */
const MAX_RECORDS = 100_000;

/** Records at a time. */
const AT_ONCE = 500;

/**
 * Outcomes that the store has not confirmed, such as the release of a claim whose response was lost: nothing was sent, but
 * the claim may be in the store. They are recorded before the next claim of their keys, and when the store responds again.
 */
export class Unrecorded implements UnrecordedOutcomes {
  /** By key, from its first attempt to its last. */
  readonly #records = new Map<string, readonly JournalRecord[]>();
  #size = 0;
  #isRecording = false;

  has(key: KeyId): boolean {
    return this.#records.has(idOf(key));
  }

  keep(records: readonly JournalRecord[]): void {
    for (const record of records.slice(0, MAX_RECORDS - this.#size)) {
      const id = idOf(record);
      this.#records.set(id, [...(this.#records.get(id) ?? []), record]);
      this.#size += 1;
    }
  }

  /** The store refuses the claims if their earlier ones could not be released. */
  async recordOf(store: JournalStore, keys: readonly KeyId[]): Promise<void> {
    if (this.#size === 0) return;
    const kept = keys.flatMap((key) => this.#records.get(idOf(key)) ?? []);
    if (kept.length > 0) await this.#record(store, kept).catch(() => undefined);
  }

  recordAll(store: JournalStore): void {
    if (this.#isRecording || this.#size === 0) return;
    this.#isRecording = true;
    ignoringFailure(async () => {
      try {
        while (this.#size > 0) await this.#record(store, this.#some());
      } finally {
        this.#isRecording = false;
      }
    });
  }

  #some(): readonly JournalRecord[] {
    const some: JournalRecord[] = [];
    for (const records of this.#records.values()) {
      some.push(...records);
      if (some.length >= AT_ONCE) break;
    }
    return some;
  }

  async #record(store: JournalStore, records: readonly JournalRecord[]): Promise<void> {
    await store.record(records);
    const recorded = new Set(records);
    for (const id of new Set(records.map(idOf))) {
      const all = this.#records.get(id) ?? [];
      const left = all.filter((record) => !recorded.has(record));
      this.#size -= all.length - left.length;
      if (left.length > 0) this.#records.set(id, left);
      else this.#records.delete(id);
    }
  }
}
