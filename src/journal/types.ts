/**
 * The vocabulary of keys for sends. A key is claimed, and the claim is committed, before the request leaves. So whatever
 * happens afterwards, the store says whether the key's email may have been sent.
 */
import type { KEYS } from '../core/key.ts';
import type { Stream } from '../core/request.ts';
import type { Keys, KeysOf } from '../resources/sending/keys/types.ts';

/**
 * What is known of a key:
 *
 * - `claimed`: an attempt may be sending its email now; once the lease is over, that is unknown.
 * - `accepted`: the service accepted its email. This never changes.
 * - `unknown`: its email was sent, and no answer arrived.
 * - `released`: its email was certainly not sent, so the key is free.
 */
export type JournalState = 'claimed' | 'accepted' | 'unknown' | 'released';

/** A key that is to be claimed for an attempt. */
export interface JournalClaim {
  /** Keys of different namespaces have nothing to do with each other. */
  readonly namespace: string;
  /** The key. Together with the namespace, it identifies a row. */
  readonly key: string;
  /** What the email has in it, as a hash. */
  readonly hash: string;
  /** Where the email is sent. */
  readonly stream: Stream;
  /** Id of this attempt, which no other has. Only the attempt that has claimed a key releases it. */
  readonly attempt: string;
  /** Milliseconds, by the clock of the store, after which nobody is sending the email any more. */
  readonly leaseMs: number;
  /**
   * Id of an attempt whose claim may be taken over, if it is still the last one, and its state is `unknown` or its lease is
   * over. Its email may have been sent: from then on, releasing the key makes it `unknown`.
   */
  readonly over?: string | undefined;
}

/** A key as it is in the store. */
export interface JournalEntry {
  /** The key. */
  readonly key: string;
  /** What the email had in it, as a hash. */
  readonly hash: string;
  /** Where the email was sent. */
  readonly stream: Stream;
  /** What is known of it. */
  readonly state: JournalState;
  /** Id of the last attempt that claimed it. */
  readonly attempt: string;
  /** Milliseconds since it was first claimed; by the clock of the store. After a release, counted anew. */
  readonly ageMs: number;
  /** Milliseconds until the lease is over; less than 0 if it has been over for as long. By the clock of the store. */
  readonly leaseLeftMs: number;
  /** Ids of its messages, once they are known. */
  readonly messageIds: readonly string[];
}

/** What has become of a key. */
export interface JournalRecord {
  /** The namespace of the key. */
  readonly namespace: string;
  /** The key. */
  readonly key: string;
  /** The stream of its email. A key whose email was sent on another stream does not change. */
  readonly stream: Stream;
  /**
   * Id of the attempt that this is about. To `released` and `unknown`, a key changes only if this attempt claimed it last,
   * and its state is `claimed`. To `accepted` it changes for any attempt, unless it is `released`: its email was certainly
   * not sent, so what others say was accepted is another one.
   */
  readonly attempt: string;
  /** Its new state. A key that is `accepted` already gets the ids of its own attempt, if those are more. */
  readonly state: 'accepted' | 'unknown' | 'released';
  /** Ids of its messages; empty unless it is accepted. */
  readonly messageIds: readonly string[];
}

/**
 * Where keys are kept: a database with transactions that survive a crash. `journalContract` in `email-platform/testing`
 * tests an implementation. Each method resolves once what it did is committed.
 */
export interface JournalStore {
  /**
   * Claims keys, each by itself, in one transaction. A key can be claimed if it is not there, or `released`, or if its claim
   * may be taken over.
   *
   * @returns for each claim, in order, undefined if the key is now claimed; otherwise the key as it is
   */
  claim(claims: readonly JournalClaim[]): Promise<readonly (JournalEntry | undefined)[]>;
  /**
   * Records what has become of keys, in one transaction; a key that is not there stays so. The state `accepted` never
   * changes; the attempt that claimed the key last may add to its ids, which an event knows one of. Where a claim was taken
   * over, and is released, the key becomes `unknown`.
   */
  record(records: readonly JournalRecord[]): Promise<void>;
  /** The keys of a namespace that are `unknown`, or `claimed` with a lease that is over. */
  open(namespace: string): Promise<readonly JournalEntry[]>;
  /**
   * Deletes the keys of a namespace that have not changed since a moment, except those with a lease that is not over.
   *
   * @param before - milliseconds since 1970, by the clock of the store
   * @returns how many keys were deleted
   */
  forget(namespace: string, before: number): Promise<number>;
}

/** A key that this process is sending now. */
export interface KeyInFlight {
  /** What the email has in it, as a hash. */
  readonly hash: string;
  /** Id of the attempt that sends it. */
  readonly attempt: string;
}

/** What a journal reads of an event. Those of `email-platform/webhooks` fit. */
export interface JournalEvent {
  /** What the event is about: `sending` for an email. */
  readonly kind: string;
  /** The stream of the email: `transactional` or `bulk`. */
  readonly sending_stream?: unknown;
  /** Id of the message. */
  readonly message_id?: unknown;
  /** Custom variables that the email was sent with. */
  readonly custom_variables?: unknown;
}

/** Keys for sends: where they are kept, and what becomes of those whose outcome is unknown. */
export interface Journal {
  /** Where keys are kept. */
  readonly store: JournalStore;
  /** Keys of different namespaces have nothing to do with each other. */
  readonly namespace: string;
  /** Name of the custom variable that carries the key. */
  readonly variable: string;
  /** What is done about a key whose outcome is unknown, and which the email log does not have. */
  readonly onUnknown: 'report' | 'resend';
  /** Milliseconds after the end of a lease before the log's silence is enough for `'resend'`. */
  readonly settleAfterMs: number;
  /** Keys that this process is sending now, whatever the clock of the store says. */
  readonly inFlight: Map<string, KeyInFlight>;
  /**
   * Deletes the keys that have not changed since a moment, at least two days ago. A key that was deleted is new: its email
   * would be sent again. For a day, a new email with the key could be taken for the old one in the email log.
   *
   * @returns how many keys were deleted
   * @throws ConfigurationError if the moment is no valid date, or less than two days ago
   */
  forget(options: { readonly before: Date }): Promise<number>;
  /**
   * Settles the key of an event's email without a request: there is an event, so the email was accepted. For events that
   * `readWebhook` of `email-platform/webhooks` has verified; others may be forged. All events of an email tell the same, and
   * each has the id of one message: for an email to several people, the ids may remain incomplete. A key that is released,
   * or whose email was sent on another stream, stays as it is.
   *
   * @returns whether the event has a key; false for all others, which are ignored
   */
  settleFrom(event: JournalEvent): Promise<boolean>;
  /**
   * What a key does, for the client that has this journal.
   *
   * @internal
   */
  readonly [KEYS]: (journal: Journal, client: KeysOf) => Keys;
}
