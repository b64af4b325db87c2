/**
 * The types of a journal. A key is claimed, and the claim is committed, before the request is sent. Whatever happens
 * afterwards, the store shows that the email of the key may have been sent.
 */
import type { Stream } from './request.ts';
import type { Runtime } from './runtime.ts';
import type { SearchedLog, SendingJournal } from './sending-journal.ts';

/**
 * The state of a key:
 *
 * - `claimed`: an attempt may be sending its email now; after the end of the lease, the outcome is unknown.
 * - `accepted`: the service accepted its email. This state never changes.
 * - `unknown`: its email was sent, and no response arrived.
 * - `released`: its email was certainly not sent, so the key is free.
 */
export type JournalState = 'claimed' | 'accepted' | 'unknown' | 'released';

/** A request to claim a key for an attempt. */
export interface JournalClaim {
  /** Keys of different namespaces have nothing to do with each other. */
  readonly namespace: string;
  /** The key. Together with the namespace, it identifies a row. */
  readonly key: string;
  /** Hash of the email's content. */
  readonly hash: string;
  /** The stream that sends the email. */
  readonly stream: Stream;
  /** Unique id of this attempt. Only the attempt that claimed a key can release it. */
  readonly attempt: string;
  /** Length of the lease in milliseconds, by the clock of the store. After it, this attempt does not send the email. */
  readonly leaseMs: number;
  /**
   * Id of an attempt whose claim may be taken over. It must be the last attempt that claimed the key, and either its
   * state is `unknown` or its lease has ended. Its email may have been sent: from then on, a release makes the key
   * `unknown`.
   */
  readonly over?: string | undefined;
}

/** The entry of a key in the store. */
export interface JournalEntry {
  /** The key. */
  readonly key: string;
  /** Hash of the email's content. */
  readonly hash: string;
  /** The stream that sent the email. */
  readonly stream: Stream;
  /** The state of the key. */
  readonly state: JournalState;
  /** Id of the last attempt that claimed the key. */
  readonly attempt: string;
  /** Milliseconds since the first claim, by the clock of the store. A release starts it anew. */
  readonly ageMs: number;
  /** Milliseconds until the end of the lease, by the clock of the store; negative after its end. */
  readonly leaseLeftMs: number;
  /** Ids of the email's messages, once they are known. */
  readonly messageIds: readonly string[];
}

/** The outcome of a key. */
export interface JournalRecord {
  /** The namespace of the key. */
  readonly namespace: string;
  /** The key. */
  readonly key: string;
  /** The stream of its email. The record does not change a key whose email was sent on another stream. */
  readonly stream: Stream;
  /**
   * Id of the attempt that this record describes; empty for an event. `released` and `unknown` change a key only if it is `claimed`, and
   * this attempt claimed it last. `accepted` changes a key for any attempt, unless the key is `released`: then its
   * own email was certainly not sent, and the accepted one is another email.
   */
  readonly attempt: string;
  /** The new state. A key that is `accepted` already takes the ids of its own attempt, if they are more. */
  readonly state: 'accepted' | 'unknown' | 'released';
  /** Ids of the email's messages; empty unless the state is `accepted`. */
  readonly messageIds: readonly string[];
}

/**
 * Stores keys in a database with transactions that survive a crash. `journalContract` in `email-platform/testing`
 * tests an implementation. Each method resolves after its changes are committed.
 */
export interface JournalStore {
  /**
   * Claims each key independently, in one transaction. A claim succeeds if the key does not exist, is `released`, or
   * may be taken over.
   *
   * @returns for each claim, in order, undefined if it succeeded; otherwise the entry of the key
   */
  claim(claims: readonly JournalClaim[]): Promise<readonly (JournalEntry | undefined)[]>;
  /**
   * Records the outcomes of keys, in one transaction. Ignores keys that do not exist. The state `accepted` never
   * changes; the attempt that claimed the key last may replace its ids by more ids, because an event has only one of
   * them. A key whose claim was taken over becomes `unknown` instead of `released`. A record with an id that `forget`
   * has remembered changes nothing.
   */
  record(records: readonly JournalRecord[]): Promise<void>;
  /** The open keys of a namespace: `unknown`, or `claimed` with a lease that has ended. */
  open(namespace: string): Promise<readonly JournalEntry[]>;
  /**
   * Deletes the keys of a namespace that have not changed since a moment, except keys with a running lease. Remembers
   * for a year the ids of their messages, as hashes, so that a late event of such a message does not settle a new use
   * of its key.
   *
   * @param before - milliseconds since 1970, by the clock of the store
   * @returns the number of deleted keys
   */
  forget(namespace: string, before: number): Promise<number>;
}

/** A key that this process is sending now. */
export interface KeyInFlight {
  /** Hash of the email's content. */
  readonly hash: string;
  /** Id of the attempt that sends it. */
  readonly attempt: string;
}

/** The fields of an event that a journal reads. Events of `email-platform/webhooks` have them. */
export interface JournalEvent {
  /** The subject of the event: `sending` for an email. */
  readonly kind: string;
  /** The stream of the email: `transactional` or `bulk`. */
  readonly sending_stream?: unknown;
  /** Id of the message. */
  readonly message_id?: unknown;
  /** Custom variables of the email. */
  readonly custom_variables?: unknown;
}

/**
 * Outcomes that the store has not confirmed.
 *
 * @internal
 */
export interface UnrecordedOutcomes {
  /** Whether a key has an outcome that is not in the store. */
  has(key: Pick<JournalRecord, 'namespace' | 'key'>): boolean;
  /** Keeps outcomes that could not be recorded. */
  keep(records: readonly JournalRecord[]): void;
  /** Records the outcomes of these keys, before the keys are claimed. Ignores a failure. */
  recordOf(store: JournalStore, keys: readonly Pick<JournalRecord, 'namespace' | 'key'>[]): Promise<void>;
  /** Records all outcomes in the background, until some cannot be recorded. */
  recordAll(store: JournalStore): void;
}

/** Idempotency keys for sends: their store, and how keys with an unknown outcome are settled. */
export interface Journal {
  /** The store of the keys. */
  readonly store: JournalStore;
  /** Keys of different namespaces have nothing to do with each other. */
  readonly namespace: string;
  /** Name of the custom variable that carries the key. */
  readonly variable: string;
  /** The action of a send whose key has an unknown outcome, and whose email is not in the email log. */
  readonly onUnknown: 'report' | 'resend';
  /** Milliseconds after the end of a lease. From then on, `'resend'` trusts the absence of the email from the log. */
  readonly settleAfterMs: number;
  /** Keys that this process is sending now, independent of the clock of the store. */
  readonly inFlight: Map<string, KeyInFlight>;
  /**
   * Outcomes that the store has not confirmed.
   *
   * @internal
   */
  readonly unrecorded: UnrecordedOutcomes;
  /**
   * Deletes the keys that have not changed since a moment, at least two days ago. A deleted key counts as new: a send
   * with it posts its email again. During the following day, the search of the email log may take the old email for
   * the new one. Events of the old email settle nothing: hashes of the message ids that are known are kept for a year.
   *
   * @returns the number of deleted keys
   * @throws ConfigurationError if the moment is no valid date, or less than two days ago
   */
  forget(options: { readonly before: Date }): Promise<number>;
  /**
   * Settles the key of an event's email without a request: the event proves that the service accepted the email. Pass
   * only events that `readWebhook` of `email-platform/webhooks` has verified; others may be forged. Each event has
   * the id of one message: for an email to several recipients, the ids may remain incomplete. A key that is released,
   * or whose email was sent on another stream, does not change, and the event of a forgotten key's email changes none.
   *
   * @returns true if the event has a key; false for every other event, which is ignored
   */
  settleFrom(event: JournalEvent): Promise<boolean>;
  /**
   * The journal of one client, whose email log is searched for keys.
   *
   * @internal
   */
  forSending(log: SearchedLog, runtime: Runtime): SendingJournal;
}
