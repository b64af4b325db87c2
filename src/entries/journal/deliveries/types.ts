/** The types of deliveries: the emails that were sent, with their events, in the caller's database. */
import type { EmailLogListParams } from '../../../resources/email-logs/filter-types.ts';
import type { EmailLogMessage, EmailLogMessageDetails } from '../../../resources/email-logs/types.ts';
import type { PostedEvent } from './posted-event.ts';
import type { DeliveryStatus } from './status.ts';

/** An event of an email. */
export interface DeliveryEvent {
  /** Its type, as the email log names it: `delivery`, `soft_bounce`, `bounce`, … */
  readonly type: string;
  /** When it happened, to the second. */
  readonly at: Date;
  /** The status code of the recipient's mail server, such as `550`; null if there is none. */
  readonly code: string | null;
  /** The category of a bounce; null if there is none. */
  readonly category: string | null;
  /**
   * The response of the recipient's mail server, or the service's reason; null if there is none. It may name the
   * address: null unless `addresses` is `'plain'`.
   */
  readonly text: string | null;
  /** URL of a clicked link; null if there is none. It may name the address: null unless `addresses` is `'plain'`. */
  readonly url: string | null;
}

/** A number of opens or clicks. */
export interface DeliveryCount {
  /** Their number. */
  readonly count: number;
  /** When the first was; null without one. */
  readonly first: Date | null;
  /** When the last was; null without one. */
  readonly last: Date | null;
}

/** A message to one recipient, and what happened to it. */
export interface Delivery {
  /** Id of the message, as `sending.send` returned it. */
  readonly messageId: string;
  /** The idempotency key of its email; null if it is not known, or has none. */
  readonly key: string | null;
  /**
   * Its recipient, in lower case; with `addresses: { hash }`, the HMAC of that. Null until an event or the email log
   * names it, with `addresses: 'none'`, and after `forget`.
   */
  readonly recipient: string | null;
  /** The stream that it was sent on; null if it is not known. */
  readonly stream: string | null;
  /** Its status. */
  readonly status: DeliveryStatus;
  /** The time of the first event with this status. For `accepted`, when it was sent; null if that is not known. */
  readonly at: Date | null;
  /** Its opens. */
  readonly opens: DeliveryCount;
  /** Its clicks. */
  readonly clicks: DeliveryCount;
  /** All its events, oldest first. */
  readonly events: readonly DeliveryEvent[];
  /** The custom variables that the option `variables` names. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The counts of a post's events. */
export interface DeliveryCounts {
  /** Events that are new. */
  readonly recorded: number;
  /** Events that were recorded before. */
  readonly repeated: number;
  /**
   * Events that are not about an email (inbound, audit), are a campaign's, or have a type unknown to this version; those
   * of emails that `prune` has deleted; and messages of the log whose events cannot be read.
   */
  readonly ignored: number;
}

/** The key or the message id that `of` looks for: one of the two. */
export type DeliveryQuery =
  | {
      /** The idempotency key of an email. */
      readonly key: string;
      /** Absent. */
      readonly messageId?: undefined;
    }
  | {
      /** Id of a message. */
      readonly messageId: string;
      /** Absent. */
      readonly key?: undefined;
    };

/** Limits a list of deliveries; a delivery has to match all. */
export interface DeliveryFilters {
  /** The recipient's address. */
  readonly recipient?: string | undefined;
  /** The status. */
  readonly status?: DeliveryStatus | undefined;
  /** Deliveries with an event at this time or later. */
  readonly since?: Date | undefined;
}

/** The part of a client that `backfill` uses: an `EmailPlatform` has it. */
export interface DeliveryLog {
  /** The email log. */
  readonly emailLogs: {
    /** Lists messages, newest first. */
    list(
      params: EmailLogListParams,
      options: {
        /** Ends the call. */
        readonly signal?: AbortSignal | undefined;
      },
    ): {
      /** Yields page by page. */
      pages(): AsyncIterable<{
        /** The messages. */
        readonly messages: readonly EmailLogMessage[];
        /** Number of messages on all pages. */
        readonly total_count: number;
        /** Cursor of the next page. */
        readonly next_page_cursor: string | null;
      }>;
    };
    /** Returns one message with its events. */
    get(
      messageId: string,
      options: {
        /** Ends the call. */
        readonly signal?: AbortSignal | undefined;
      },
    ): PromiseLike<EmailLogMessageDetails>;
  };
}

/** How far a backfill is. */
export interface BackfillProgress {
  /** Emails of the log since the moment. */
  readonly total: number;
  /** Emails that were read, also by an earlier run that ended early. */
  readonly read: number;
  /** Expected milliseconds until the end, by the limits of the log: 1000 emails and 60 pages a minute. */
  readonly remainingMs: number;
}

/** Options of `backfill`. */
export interface BackfillOptions {
  /** Reads emails that were sent at this time or later. How long the log keeps them depends on the plan. */
  readonly since: Date;
  /** Called before the first email is read, and after each page of the log. */
  readonly onProgress?: ((progress: BackfillProgress) => void) | undefined;
  /** Ends the call when it is aborted. The next call with the same `since` goes on where this one ended. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The emails that were sent, with their events, in a database. If the database fails, or a connection that writes is
 * inside a transaction, a method throws a `JournalError`.
 */
export interface Deliveries {
  /**
   * Records the events of a post, in one transaction that is committed when the call resolves: respond with 200 after
   * that. Pass only events that `readWebhook` has verified. Each event counts once, whatever the number of posts and
   * their order. With a journal, also settles the keys of their emails.
   *
   * @throws ConfigurationError if `events` is not the list that `readWebhook` returns, JournalError, or the connection is
   * inside a transaction
   */
  record(events: readonly PostedEvent[]): Promise<DeliveryCounts>;
  /**
   * Records an email that was sent, which is then known before its first event. Keeps events that came earlier.
   *
   * @param result - the result of `sending.send`, or anything with `message_ids`
   * @throws ConfigurationError if an argument is wrong, JournalError
   */
  recordSent(
    result: {
      /** Ids of its messages. */
      readonly message_ids: readonly string[];
    },
    options?: {
      /** The idempotency key of the email, or another name to find it by. */
      readonly key?: string | undefined;
    },
  ): Promise<void>;
  /**
   * The deliveries of an email: one for each of its recipients. Empty if nothing is known about it. With a journal, a
   * key of the journal finds its messages, also those without an event.
   *
   * @throws ConfigurationError if the query is wrong, JournalError
   */
  of(query: DeliveryQuery): Promise<Delivery[]>;
  /**
   * Lists deliveries, the newest event first. One that gets an event while the loop goes on may be missing.
   *
   * @throws ConfigurationError if a filter is wrong, JournalError
   */
  list(filters?: DeliveryFilters): AsyncIterable<Delivery>;
  /**
   * Removes a recipient: from its deliveries the address, the texts and URLs of the events and the variables, and from
   * every delivery a key that contains the address. Status, times and counts stay. Later events of the address are
   * recorded without it.
   *
   * @returns the number of deliveries that were changed
   * @throws ConfigurationError if the address is wrong, JournalError
   */
  forget(options: {
    /** The recipient's address. */
    readonly recipient: string;
  }): Promise<number>;
  /**
   * Deletes the deliveries whose last event is older than a moment. From then on, events that are older are ignored,
   * unless their delivery is there. Keys of the journal stay.
   *
   * @returns the number of deleted deliveries
   * @throws ConfigurationError if the moment is not a valid date, or in the future, JournalError
   */
  prune(options: {
    /** The moment. */
    readonly before: Date;
  }): Promise<number>;
  /**
   * Records the emails of the email log, such as those of the time before the webhook. An email that is known from
   * posts gets the events that it lacks. The log gives events one email at a time, 1000 a minute: 20 000 emails are 20
   * minutes. Each page of the log is committed by itself. A call after a failure goes on there, or begins anew if the
   * service no longer takes the place, and reads what the log has shown since.
   *
   * @param client - the client whose log is read
   * @throws ConfigurationError if an option is wrong; whatever reading the log throws, JournalError
   */
  backfill(client: DeliveryLog, options: BackfillOptions): Promise<DeliveryCounts>;
}

/** An event in a store. */
export interface DeliveryEventRecord {
  /** Identifies the event among those of its message. */
  readonly identity: string;
  /** Type, second and link of the event: what is the same in a post and in the email log. */
  readonly moment: string;
  /** Its type, as the email log names it. */
  readonly type: string;
  /** Milliseconds since 1970, a whole second. */
  readonly at: number;
  /** Whether the event had no time, so that it has that of its post. */
  readonly isUntimed: boolean;
  /** Status code of the recipient's mail server. */
  readonly code: string | null;
  /** The category of a bounce. */
  readonly category: string | null;
  /** The response of the recipient's mail server, or the service's reason. */
  readonly text: string | null;
  /** URL of a clicked link. */
  readonly url: string | null;
}

/** A message, and events of it, to be recorded. */
export interface DeliveryRecord {
  /** Id of the message. */
  readonly messageId: string;
  /** The key of its email. */
  readonly key: string | null;
  /** The recipient, as the store keeps it. */
  readonly recipient: string | null;
  /** Hashes of the recipient, by which `forget` is remembered. They are not stored. */
  readonly recipientIds: readonly string[];
  /** Such hashes of each address that the key may contain. They are not stored. */
  readonly keyIds: readonly string[];
  /** The stream that it was sent on. */
  readonly stream: string | null;
  /** The strongest status of these events. */
  readonly status: DeliveryStatus;
  /** Milliseconds since 1970 of the first of these events with this status. */
  readonly statusAt: number;
  /** Milliseconds since 1970 of the last of these events. */
  readonly lastAt: number;
  /** Custom variables. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** The events, none twice. */
  readonly events: readonly DeliveryEventRecord[];
}

/** An event that a store has after a record. */
export interface DeliveryTrace {
  /** Id of the message. */
  readonly messageId: string;
  /** Identity of the event. */
  readonly identity: string;
  /** Its moment. */
  readonly moment: string;
  /** Whether this record added it. */
  readonly isNew: boolean;
}

/** A message in a store, with all its events in any order. */
export interface StoredDelivery extends Omit<DeliveryRecord, 'recipientIds' | 'keyIds'> {
  /** All its events. */
  readonly events: readonly DeliveryEventRecord[];
}

/** A position in a list of deliveries. */
export interface DeliveryPosition {
  /** `lastAt` of the last delivery that was read. */
  readonly lastAt: number;
  /** Its `messageId`. */
  readonly messageId: string;
}

/** The filters of a store. */
export interface StoredFilters {
  /** The recipient, as the store keeps it. */
  readonly recipient?: string | undefined;
  /** The status. */
  readonly status?: DeliveryStatus | undefined;
  /** Least `lastAt`, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Only deliveries after this position. */
  readonly after?: DeliveryPosition | undefined;
  /** Largest number of deliveries. */
  readonly limit: number;
}

/** A recipient to forget. */
export interface ForgottenRecipient {
  /** All forms in which the store may have the recipient. */
  readonly recipients: readonly string[];
  /** The hash that remembers it. */
  readonly recipientId: string;
  /** Whether a key contains the address, in any case of its letters. A key without an @ does not. */
  readonly isIn: (key: string) => boolean;
}

/**
 * Stores deliveries in a database. `deliveriesContract` in `email-platform/testing` tests an implementation. Each method
 * resolves after its changes are committed; namespaces are independent of each other.
 */
export interface DeliveryStore {
  /**
   * Records messages with events, each message once, in one transaction. A new message is added, unless its `lastAt` is
   * before the moment of `prune`, or it has events and all of them are stored already. Of a message that is there,
   * values that are null are set; of two statuses, the one that outranks the other stays, and of the same status the
   * earlier time; `lastAt` becomes the later one. Events are added by their `identity`.
   *
   * A message is forgotten from the first record on of which one of the `recipientIds` was forgotten. Neither recipient,
   * variables, texts, URLs nor a key with an @ are stored of it, and those that were stored before are removed. Of any
   * message, a key is not stored if one of its `keyIds` was forgotten.
   *
   * @returns of each message that is there: the given events, and the other events with the same moments. Of one that
   * was not added: those of the given events that are stored
   */
  record(namespace: string, records: readonly DeliveryRecord[]): Promise<readonly DeliveryTrace[]>;
  /** The messages with these ids, in any order. */
  get(namespace: string, messageIds: readonly string[]): Promise<readonly StoredDelivery[]>;
  /** The messages with this key, in any order. */
  withKey(namespace: string, key: string): Promise<readonly StoredDelivery[]>;
  /** Messages by `lastAt`, the latest first, and then by `messageId`, the largest first. */
  list(namespace: string, filters: StoredFilters): Promise<readonly StoredDelivery[]>;
  /**
   * Removes the recipient, the variables, and the texts and URLs of the events from the messages of a recipient, which
   * are forgotten from then on, and from messages without a recipient whose key contains the address. Removes such
   * keys from all messages. Remembers `recipientId` for later records.
   *
   * @returns the number of messages that were changed
   */
  forget(namespace: string, forgotten: ForgottenRecipient): Promise<number>;
  /**
   * Deletes the messages whose `lastAt` is before a moment, and remembers the latest such moment for later records. Of
   * their events, those that are untimed stay, without text and URL.
   *
   * @param before - milliseconds since 1970
   * @returns the number of messages
   */
  prune(namespace: string, before: number): Promise<number>;
  /** A text that `note` has stored under a name; undefined if there is none. */
  noted(namespace: string, name: string): Promise<string | undefined>;
  /** Stores a text under a name; undefined deletes it. */
  note(namespace: string, name: string, text: string | undefined): Promise<void>;
}
