import type { SavedMessage } from '../email-logs/saved.ts';
import type { MessageRecord, ThreadRecord } from './record.ts';

/** A message of a thread as a snapshot has it: an id, or the message itself where its own place does not have it any more. */
export type SavedEntry =
  | { readonly direction: 'inbound'; readonly message: string | MessageRecord }
  | { readonly direction: 'outbound'; readonly sent: string | SavedMessage };

export type SavedThread = Omit<ThreadRecord, 'entries'> & { readonly entries: readonly SavedEntry[] };
