/**
 * The interfaces of email keys. `src/journal/keys` implements them, so that a client without a journal does not load
 * that code.
 */
import type { IdempotencyError } from '../../../core/errors.ts';
import type { JsonPart } from '../../../core/json-parts.ts';
import type { Pager } from '../../../core/pager.ts';
import type { Claim, RequestOptions, Stream } from '../../../core/request.ts';
import type { EmailLogListParams } from '../../email-logs/filter-types.ts';
import type { EmailLogMessage, EmailLogPage } from '../../email-logs/types.ts';
import type { SettleOptions, SettleResult } from './settle-types.ts';

/** The destination of an email. */
export interface Destination {
  readonly stream: Stream;
  readonly sandboxInboxId: number | undefined;
}

/** A serialized email, with hashes in place of the contents of its attachments. */
export type WrittenMail = Readonly<Record<string, unknown>>;

/** An email to send, with its key. */
export interface KeyedMail {
  readonly key: string;
  /** The hash of its content. */
  readonly hash: string;
  /** Addresses, in the order of the ids that the service returns. */
  readonly recipients: readonly string[];
  readonly stream: Stream;
}

/** The decision about an email when its key is claimed. */
export type Decision =
  /** It is sent now. If `isResent`, it may have been sent before. */
  | { readonly kind: 'claimed'; readonly isResent: boolean }
  /** It was sent before. */
  | { readonly kind: 'accepted'; readonly messageIds: readonly string[] }
  /** It is not sent now. If `isHere`, this process is sending it already. */
  | { readonly kind: 'refused'; readonly error: IdempotencyError; readonly isHere: boolean };

/** The outcome of an email that was sent with its key. */
export interface Outcome {
  readonly state: 'accepted' | 'unknown' | 'released';
  readonly messageIds: readonly string[];
}

/** A request that sends one or more emails with keys. Positions in `mails` identify its emails. */
export interface KeyedRequest<T> {
  readonly operation: string;
  readonly mails: readonly KeyedMail[];
  /** Whether the call sends one email: its error then has the state of the key. Otherwise each outcome has it. */
  readonly isOne: boolean;
  /** Receives the decisions about its emails, after each claim. */
  decided(decisions: readonly Decision[]): void;
  /** The body with these emails, and no others. */
  bodyOf(positions: readonly number[]): JsonPart;
  /** The result if none of them is sent now. */
  unsent(decisions: readonly Decision[]): T;
  /** The ends of these emails, from the result of the service. */
  endsOf(result: T, positions: readonly number[]): readonly Outcome[];
}

/** The keys of a client's emails, implemented by a journal. */
export interface Keys {
  /** Name of the custom variable that carries the key of an email. */
  readonly variable: string;
  /** The shared fields of the emails of a serialized batch. */
  baseOf(batch: readonly JsonPart[]): Promise<WrittenMail>;
  /** A serialized email with its key: the same email has the same hash, alone or with the base of a batch. */
  mailOf(key: string, written: readonly JsonPart[], to: Destination, base?: WrittenMail): Promise<KeyedMail>;
  /** Whether two emails may have the same content. */
  mayBeSame(one: KeyedMail, other: KeyedMail): boolean;
  /** Claims the keys of a request for each of its attempts, and records their outcomes. */
  claimOf<T>(request: KeyedRequest<T>): Claim<T>;
  /** Settles the keys with an unknown outcome. The options have been checked. */
  settleUnknown(options: SettleOptions): Promise<SettleResult>;
}

/** The email log, which is searched for keys. */
export interface SearchedLog {
  list(params: EmailLogListParams, options: RequestOptions): Pager<EmailLogMessage, EmailLogPage>;
  /** Whether the service accepts a query of this length. */
  takes(query: EmailLogListParams): boolean;
}
