/** Shared by both databases: the table's name, and how a row is read. */
import type { JournalEntry, JournalState } from '../../core/journal.ts';
import type { Stream } from '../../core/request.ts';

/** Version 1. A later version uses a new table beside this one. */
export const TABLE = 'email_platform_journal_v1';

/** The columns that are read. The library of the database decides the type of the numbers. */
interface Row {
  readonly key: string;
  readonly hash: string;
  readonly stream: string;
  readonly state: string;
  readonly attempt: string;
  readonly message_ids: string;
  readonly age_ms: unknown;
  readonly lease_left_ms: unknown;
}

/** The entry in a row. */
export function entryOf(row: unknown): JournalEntry {
  const { key, hash, stream, state, attempt, message_ids, age_ms, lease_left_ms } = row as Row;
  return {
    key,
    hash,
    stream: stream as Stream,
    state: state as JournalState,
    attempt,
    ageMs: Number(age_ms),
    leaseLeftMs: Number(lease_left_ms),
    messageIds: JSON.parse(message_ids) as string[],
  };
}
