/** What the databases have in common: the table's name, and how a row is read. */
import type { JournalEntry, JournalState } from './types.ts';
import type { Stream } from '../core/request.ts';

/** Version 1: a later one would have a table of another name beside it. */
export const TABLE = 'email_platform_journal_v1';

/** The columns that are read. Numbers are whatever the library makes of them. */
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

/** A key, as its row says. */
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
