import { duration, oneOf, positive, positiveOrInfinity } from '../../../declare/kind.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { State } from '../base/state.ts';
import type { MailContent } from './mail.ts';
import type { Course, EmulatorEventType, EmulatorLogStatus, Step } from './course.ts';

/** The unpublished behavior of email logs. */
export interface EmulatorLogOptions {
  /**
   * The number of messages on a page of the list.
   * @defaultValue 100
   */
  pageSize?: number;
  /**
   * The handling of a `sent_after` or `sent_before` that is not an ISO 8601 date: `ignore` drops the filter, as for any
   * other invalid filter; `refuse` responds with 400.
   * @defaultValue 'ignore'
   */
  unreadableDates?: 'ignore' | 'refuse';
  /**
   * The handling of a `search_after` that is not the id of a message in the account: `refuse` responds with 400;
   * `first-page` returns the first page.
   * @defaultValue 'refuse'
   */
  unknownCursor?: 'refuse' | 'first-page';
  /**
   * How long a link to a raw message is valid, in milliseconds.
   * @defaultValue 3_600_000
   */
  rawUrlMs?: number;
  /**
   * The longest delay until the log shows a message, in milliseconds after its acceptance. The delay of each message
   * follows from its id. Until then, the list and the request for its id do not find it.
   * @defaultValue 0
   */
  shownWithinMs?: number;
  /**
   * The most messages in the log of an account. It drops the oldest first.
   * @defaultValue 1_000_000
   */
  keep?: number;
}

export type LogSettings = Settings<EmulatorLogOptions>;

export const logOptions: Options<EmulatorLogOptions> = {
  pageSize: option(positive, 100, 'not published, and no parameter sets it'),
  unreadableDates: option(
    oneOf(['ignore', 'refuse']),
    'ignore',
    'specified of filters that are invalid; not of dates in particular',
  ),
  unknownCursor: option(oneOf(['refuse', 'first-page']), 'refuse', 'the public reference has a 400 for it'),
  rawUrlMs: option(duration, 3_600_000, 'not published'),
  shownWithinMs: option(duration, 0, 'not published'),
  keep: option(positiveOrInfinity, 1_000_000, 'a bound for an emulator that runs for days'),
};

/** Whether a text is a UUID, as every message id is. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** The stream of a message, as named in the log. */
export type EmulatorStream = 'transactional' | 'bulk';

/** The facts that all copies of one email share. They are stored once for all recipients. */
export interface MailFacts {
  readonly accountId: number;
  readonly domainId: number;
  readonly stream: EmulatorStream;
  readonly from: string;
  readonly subject: string | null;
  readonly clientIp: string | null;
  readonly category: string | null;
  readonly customVariables: Readonly<Record<string, unknown>> | null;
  readonly templateId: number | null;
  readonly templateVariables: Readonly<Record<string, unknown>> | null;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly threadId: string | null;
  /** The id of the email that its messages share; `null` for messages that a test added. */
  readonly groupId: string | null;
  /** The first link in the text, for click events. */
  readonly link: string;
  /** The content of the raw message, or the raw message itself; `null` if there is only the envelope. */
  readonly content: MailContent | Uint8Array<ArrayBuffer> | null;
}

/** A message in the log: one email to one recipient. It is small, because the log may have millions. */
export interface LogRecord {
  readonly id: string;
  readonly sentAt: number;
  /** The order of arrival, for messages that were sent at the same time. */
  readonly order: number;
  readonly to: string;
  /** Shared facts. A message that joins a thread gets its own copy. */
  mail: MailFacts;
  /** Its events and their times. */
  course: Course;
  /** Set for an email of a campaign: its content is derived from these. */
  readonly mailing?: MailingOfRecord;
  readonly turn?: number;
}

/** The groups of a UUID that all emails of a mailing share, by which the log finds the mailing. */
const keyOf = (id: string): string => id.slice(8, 23);

/** The mailing of a campaign, as the log uses it. */
interface MailingOfRecord {
  readonly accountId: number;
  readonly facts: { readonly base: string };
  turnOf(id: string): number | undefined;
  sentAt(turn: number): number;
}

/** Orders messages by time sent, then by order of arrival. */
function compare(a: Position, b: Position): number {
  return a.sentAt - b.sentAt || a.order - b.order;
}

type Position = Pick<LogRecord, 'sentAt' | 'order'>;

/** The number of messages before a position in a sorted list. */
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

/** All messages by account, sorted by the time of sending. */
export class LogStore {
  readonly #keep: number;
  readonly #onAdd: (record: LogRecord) => void;
  readonly #state: { nextOrder: number; readonly byAccount: Map<number, LogRecord[]> };
  readonly #byId = new Map<string, LogRecord>();
  /** By the part of the id that the emails of a mailing share: their ids need no index. */
  readonly #mailings = new Map<string, MailingOfRecord>();
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

  /** The time of the last event of all messages. After it, time changes no result. */
  get lastEventAt(): number {
    return this.#lastEventAt;
  }

  add({ id, sentAt, to, mail, course }: Omit<LogRecord, 'order'>): LogRecord {
    return this.insert((order) => ({ id, sentAt, order, to, mail, course }));
  }

  /** Adds the record that `make` returns for its order of arrival. */
  insert<Made extends LogRecord>(make: (order: number) => Made): Made {
    const record = make(this.#state.nextOrder);
    this.#state.nextOrder += 1;
    this.#version += 1;
    const list = this.#put(record);
    this.#onAdd(record);
    // Drops a tenth at a time: dropping one at a time would move the whole array for each message.
    if (list.length > this.#keep * 1.1) this.#forget(record.mail.accountId, list.length - this.#keep);
    return record;
  }

  #put(record: LogRecord): LogRecord[] {
    const { accountId } = record.mail;
    const list = this.#state.byAccount.get(accountId) ?? [];
    this.#state.byAccount.set(accountId, list);
    const last = list.at(-1);
    // Emails arrive in the order of time. Only messages that a test adds need sorting.
    if (last !== undefined && last.sentAt > record.sentAt) this.#unsorted.add(accountId);
    list.push(record);
    this.#index(record);
    return list;
  }

  /** Adds an event of now to a message. */
  happen(record: LogRecord, type: string, now: number): Step {
    const step = { type, afterMs: now - record.sentAt };
    const { steps, ...others } = record.course;
    const later = steps.filter(({ afterMs }) => afterMs > step.afterMs);
    // A new course, because messages share theirs.
    record.course = { ...others, steps: [...steps.slice(0, steps.length - later.length), step, ...later] };
    this.#version += 1;
    this.#lastEventAt = Math.max(this.#lastEventAt, now);
    return step;
  }

  #index(record: LogRecord): void {
    const { mailing } = record;
    if (mailing === undefined) this.#byId.set(record.id, record);
    else this.#mailings.set(keyOf(mailing.facts.base), mailing);
    const ends = record.sentAt + (record.course.steps.at(-1)?.afterMs ?? 0);
    this.#lastEventAt = Math.max(this.#lastEventAt, ends);
  }

  find(accountId: number, id: string): LogRecord | undefined {
    const record = this.anywhere(id.toLowerCase());
    return record?.mail.accountId === accountId ? record : undefined;
  }

  /** The message with this id, in any account. */
  anywhere(id: string): LogRecord | undefined {
    return this.#byId.get(id) ?? this.#ofMailing(id);
  }

  #ofMailing(id: string): LogRecord | undefined {
    const mailing = this.#mailings.get(keyOf(id));
    const turn = mailing?.turnOf(id);
    if (mailing === undefined || turn === undefined) return undefined;
    const sentAt = mailing.sentAt(turn);
    const all = this.sorted(mailing.accountId);
    for (let at = countBefore(all, { sentAt, order: -1 }); all[at]?.sentAt === sentAt; at += 1) {
      if (all[at]?.mailing === mailing && all[at]?.turn === turn) return all[at];
    }
    return undefined;
  }

  /** The account's messages, oldest first. */
  sorted(accountId: number): readonly LogRecord[] {
    const list = this.#state.byAccount.get(accountId) ?? [];
    if (this.#unsorted.delete(accountId)) list.sort(compare);
    return list;
  }

  /** The number of the account's messages in a period, including its ends. */
  sentBetween(accountId: number, from: number, to: number): number {
    const all = this.sorted(accountId);
    return countBefore(all, { sentAt: to, order: Infinity }) - countBefore(all, { sentAt: from, order: -1 });
  }

  #forget(accountId: number, count: number): void {
    this.sorted(accountId);
    for (const { id } of this.#state.byAccount.get(accountId)?.splice(0, count) ?? []) this.#byId.delete(id);
  }
}

/** An event of a message that {@link Emulator.Logs.add} adds. */
export interface EmulatorLogEvent {
  /** The type of the event. */
  event_type: EmulatorEventType | (string & {});
  /** The time of the event. By default, the time of the message. */
  created_at?: Date | string | number;
  /** The details of the event. By default, example details for its type. */
  details?: Record<string, unknown>;
}

/** The fields of a message for {@link Emulator.Logs.add}, named as in the service. Every field has a default. */
export interface EmulatorLogFields {
  /** The id of the message: a UUID that is not in the log. */
  message_id?: string;
  /** A fixed status. By default, the status follows from the events. */
  status?: EmulatorLogStatus;
  /** The subject; `null` for none. */
  subject?: string | null;
  /** The sender's address. */
  from?: string;
  /** The recipient's address. Without `events`, it determines the events, like the address of a sent email. */
  to?: string;
  /** When the message was sent. By default, now. */
  sent_at?: Date | string | number;
  /** The IP address of the client that sent the message. */
  client_ip?: string | null;
  /** The category. */
  category?: string | null;
  /** Custom variables. */
  custom_variables?: Record<string, unknown> | null;
  /**
   * The stream.
   * @defaultValue 'transactional'
   */
  sending_stream?: EmulatorStream;
  /** The id of the sending domain. By default, the first verified one. */
  domain_id?: number;
  /** The id of its template. */
  template_id?: number | null;
  /** The variables of its template. */
  template_variables?: Record<string, unknown> | null;
  /** The value of the `In-Reply-To` header. */
  in_reply_to?: string | null;
  /** The message ids in the `References` header. */
  references?: string[];
  /** The inbound thread that it belongs to. */
  thread_id?: string | null;
  /** All events of the message. By default, the recipient's address determines them. */
  events?: EmulatorLogEvent[];
  /** The raw message, byte for byte. */
  raw?: string | Uint8Array;
}
