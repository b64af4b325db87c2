import type { State } from '../../state.ts';
import type { LogRecord } from './record.ts';

/** Orders messages by time sent, then by order of arrival. */
function compare(a: Position, b: Position): number {
  return a.sentAt - b.sentAt || a.order - b.order;
}

type Position = Pick<LogRecord, 'sentAt' | 'order'>;

/** How many messages of a sorted list come before a position. */
export function countBefore(sorted: readonly LogRecord[], position: Position): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = sorted[middle];
    if (record !== undefined && compare(record, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All messages by account, in the order in which they were sent, whatever the order in which they were added. */
export class LogStore {
  readonly #keep: number;
  readonly #onAdd: (record: LogRecord) => void;
  readonly #state: { nextOrder: number; readonly byAccount: Map<number, LogRecord[]> };
  readonly #byId = new Map<string, LogRecord>();
  readonly #unsorted: Set<number>;
  #version = 0;
  #lastEventAt = Number.NEGATIVE_INFINITY;

  constructor(state: State, keep: number, onAdd: (record: LogRecord) => void) {
    this.#state = state.part('logs', { nextOrder: 0, byAccount: new Map<number, LogRecord[]>() });
    this.#keep = keep;
    this.#onAdd = onAdd;
    this.#unsorted = new Set(this.#state.byAccount.keys());
    for (const list of this.#state.byAccount.values()) for (const record of list) this.#index(record);
  }

  /** Increases with every change: a result that was computed for an earlier version is stale. */
  get version(): number {
    return this.#version;
  }

  /** When the last event of any message happens. After that, time changes nothing. */
  get lastEventAt(): number {
    return this.#lastEventAt;
  }

  add(fields: Omit<LogRecord, 'order'>): LogRecord {
    const record: LogRecord = {
      id: fields.id,
      sentAt: fields.sentAt,
      order: this.#state.nextOrder,
      to: fields.to,
      mail: fields.mail,
      course: fields.course,
    };
    this.#state.nextOrder += 1;
    this.#version += 1;
    const list = this.#put(record);
    this.#onAdd(record);
    // A tenth at a time; otherwise, every message would move all the others.
    if (list.length > this.#keep * 1.1) this.#forget(record.mail.accountId, list.length - this.#keep);
    return record;
  }

  #put(record: LogRecord): LogRecord[] {
    const { accountId } = record.mail;
    const list = this.#state.byAccount.get(accountId) ?? [];
    this.#state.byAccount.set(accountId, list);
    const last = list.at(-1);
    // Emails are accepted in the order of time. Only messages that a test adds have to be sorted.
    if (last !== undefined && last.sentAt > record.sentAt) this.#unsorted.add(accountId);
    list.push(record);
    this.#index(record);
    return list;
  }

  #index(record: LogRecord): void {
    this.#byId.set(record.id, record);
    const ends = record.sentAt + (record.course.steps.at(-1)?.afterMs ?? 0);
    this.#lastEventAt = Math.max(this.#lastEventAt, ends);
  }

  find(accountId: number, id: string): LogRecord | undefined {
    const record = this.#byId.get(id.toLowerCase());
    return record?.mail.accountId === accountId ? record : undefined;
  }

  /** The message with this id, in any account. */
  anywhere(id: string): LogRecord | undefined {
    return this.#byId.get(id);
  }

  /** The account's messages, oldest first. */
  sorted(accountId: number): readonly LogRecord[] {
    const list = this.#state.byAccount.get(accountId) ?? [];
    if (this.#unsorted.delete(accountId)) list.sort(compare);
    return list;
  }

  /** How many of the account's messages were sent in a period, its ends included. */
  sentBetween(accountId: number, from: number, to: number): number {
    const all = this.sorted(accountId);
    return countBefore(all, { sentAt: to, order: Infinity }) - countBefore(all, { sentAt: from, order: -1 });
  }

  #forget(accountId: number, count: number): void {
    this.sorted(accountId);
    for (const { id } of this.#state.byAccount.get(accountId)?.splice(0, count) ?? []) this.#byId.delete(id);
  }
}
