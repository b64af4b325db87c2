/** The parts of the tests of a journal store. */
import type { JournalClaim, JournalEntry, JournalRecord, JournalStore } from '../../core/journal.ts';

/** Adds a test of a property. */
export type Check = (name: string, run: (store: JournalStore) => Promise<void>) => void;

/** A lease that outlasts the test. */
export const LONG_MS = 3_600_000;

/** A hash in the format of the journal: a version, and SHA-256 in hexadecimal. */
export const HASH = `1:${'0123456789abcdef'.repeat(4)}`;

/** A pause after which a store sees a different time. */
export const APART_MS = 50;
/** The pause, less a tolerance for timers that fire early. */
export const NEARLY_MS = APART_MS - 10;

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const claimOf = (key: string, attempt: string, more: Partial<JournalClaim> = {}): JournalClaim => ({
  namespace: 'contract',
  key,
  hash: HASH,
  stream: 'transactional',
  attempt,
  leaseMs: LONG_MS,
  ...more,
});

export const recordOf = (
  key: string,
  attempt: string,
  state: JournalRecord['state'],
  messageIds: readonly string[] = [],
  stream: JournalRecord['stream'] = 'transactional',
): JournalRecord => ({ namespace: 'contract', key, stream, attempt, state, messageIds });

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: expected ${should}, but it is ${is}`);
}

/** The states of keys after a claim. `free` means that the claim succeeded: the store says undefined, and not null. */
export const statesOf = (entries: readonly (JournalEntry | undefined)[]) =>
  Array.from(entries, (entry: JournalEntry | null | undefined) =>
    entry === undefined ? 'free' : (entry?.state ?? 'null'),
  );

/** Whether a lease of this length was begun just now. */
export function expectWholeLease(entry: JournalEntry | undefined, what: string): void {
  const left = entry?.leaseLeftMs ?? NaN;
  expectEqual(
    left > LONG_MS / 2 && left <= LONG_MS,
    true,
    `a lease of ${LONG_MS} ms ${what}, now ${left} ms,`,
  );
}
