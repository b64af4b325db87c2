/** Shared by both databases: the table's name, and how a row is read. */
import { JournalError } from '../../core/errors.ts';
import { fieldOf } from '../../core/record.ts';
import type { JournalEntry, JournalState } from '../../core/journal.ts';
import type { Stream } from '../../core/request.ts';

/** Version 1. A later version uses a new table beside this one. */
export const TABLE = 'email_platform_journal_v1';
/** Hashes of the ids of forgotten keys' messages, each with the day on which its key was forgotten. */
export const FORGOTTEN_IDS = 'email_platform_journal_forgotten_v1';

/** Days for which these hashes are kept. */
export const DAYS_REMEMBERED = 365;

/** The text whose SHA-256 remembers an id. */
export const rememberedAs = (namespace: string, messageId: string): string => `${namespace}\n${messageId}`;

/** A text without the characters that Postgres refuses: NUL, and halves of surrogate pairs. */
export const cleaned = (text: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)).replaceAll('\0', '');

/** Shows whether the connection changes names or values. */
export const NAMES = "SELECT 'as it is' AS two_words";

/** Refuses a connection that does not return the row of {@link NAMES} as it is: the rows of tables would be misread. */
export function checkNames(row: unknown): void {
  if (fieldOf(row, 'two_words') === 'as it is') return;
  throw new JournalError(
    'the connection renames columns or changes rows, such as with the option transform of postgres.js or returnArrays of node:sqlite: give it a connection without such options',
    { isRetryable: false },
  );
}

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
