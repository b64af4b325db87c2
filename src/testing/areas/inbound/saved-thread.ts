import { check } from '../../checks/argument.ts';
import type { ReadValues, SharedValues } from '../../shared.ts';
import type { Table } from '../../table.ts';
import { messageRef, readMessageRef } from '../email-logs/saved.ts';
import type { LogStore } from '../email-logs/store.ts';
import { message as messageKind } from './kinds.ts';
import type { MessageRecord, ThreadEntry, ThreadRecord } from './record.ts';
import type { SavedEntry, SavedThread } from './saved-thread-types.ts';

/** A thread as a snapshot has it. */
export function writtenThread(
  { entries, ...thread }: ThreadRecord,
  messages: Table<MessageRecord>,
  logs: LogStore,
  shared: SharedValues,
): SavedThread {
  return {
    ...thread,
    entries: entries.map((entry) => {
      if (entry.direction === 'outbound') {
        return { direction: entry.direction, sent: messageRef(entry.sent, logs, shared) };
      }
      const { direction, message } = entry;
      return { direction, message: messages.has(message) ? message.id : message };
    }),
  };
}

/** The thread of a snapshot, of which all but the entries have been checked. */
export function readThread(
  { entries, ...thread }: SavedThread,
  messages: Table<MessageRecord>,
  logs: LogStore,
  shared: ReadValues,
): ThreadRecord {
  const read = (entry: SavedEntry): ThreadEntry => {
    const { direction } = entry;
    if (direction === 'outbound') return { direction, sent: readMessageRef(entry.sent, logs, shared) };
    const { message } = entry;
    if (typeof message !== 'string') {
      check(messageKind, message, `thread ${thread.id}`);
      return { direction, message };
    }
    const known = messages.anywhere(message);
    if (known === undefined) throw new RangeError(`There is no inbound message ${message}`);
    return { direction, message: known };
  };
  return { ...thread, entries: entries.map(read) };
}
