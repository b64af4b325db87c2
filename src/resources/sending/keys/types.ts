/**
 * The keys of emails, as sending knows them. What a key does comes with the journal: `src/journal/keys` fills these
 * interfaces, and a client without a journal holds nothing of it.
 */
import type { IdempotencyError } from '../../../core/errors.ts';
import type { JsonPart } from '../../../core/json-parts.ts';
import type { Pager } from '../../../core/pager.ts';
import type { Claim, RequestOptions, Stream } from '../../../core/request.ts';
import type { Runtime } from '../../../core/runtime.ts';
import type { EmailLogListParams } from '../../email-logs/filter-types.ts';
import type { EmailLogMessage, EmailLogPage } from '../../email-logs/types.ts';
import type { SettleOptions, SettleResult } from './settle-types.ts';

/** Where an email is sent. */
export interface Destination {
  readonly stream: Stream;
  readonly sandboxInboxId: number | undefined;
}

/** An email as it was written, with hashes in place of the contents of its attachments. */
export type WrittenMail = Readonly<Record<string, unknown>>;

/** An email that is going to be sent, with its key. */
export interface KeyedMail {
  readonly key: string;
  /** What it has in it, as a hash. */
  readonly hash: string;
  /** Addresses, in the order of the ids that the service returns. */
  readonly recipients: readonly string[];
  readonly stream: Stream;
}

/** The decision about an email when its key is claimed. */
export type Finding =
  /** It is sent now. If `isResent`, it may have been sent before. */
  | { readonly kind: 'claimed'; readonly isResent: boolean }
  /** It was sent before. */
  | { readonly kind: 'accepted'; readonly messageIds: readonly string[] }
  | { readonly kind: 'refused'; readonly error: IdempotencyError };

/** The outcome of an email that was sent with its key. */
export interface MailEnd {
  readonly state: 'accepted' | 'unknown' | 'released';
  readonly messageIds: readonly string[];
}

/** A request that sends emails with keys, one or many. Its emails are named by their positions in `mails`. */
export interface KeyedRequest<T> {
  readonly operation: string;
  readonly mails: readonly KeyedMail[];
  /** Whether the call is about one email, so that its error says what is known of that; otherwise each outcome does. */
  readonly isOne: boolean;
  /** Told what becomes of its emails, whenever more is known. */
  found(findings: readonly Finding[]): void;
  /** The body with these emails, and no others. */
  bodyOf(positions: readonly number[]): JsonPart;
  /** The result where none of them is sent now. */
  unsent(findings: readonly Finding[]): T;
  /** What has become of these emails, of which the service has said this. */
  endsOf(result: T, positions: readonly number[]): readonly MailEnd[];
}

/** The keys of a client's emails: what a journal brings. */
export interface Keys {
  /** Name of the custom variable that carries the key of an email. */
  readonly variable: string;
  /** What the emails of a batch share, of the batch as it was written. */
  baseOf(batch: readonly JsonPart[]): Promise<WrittenMail>;
  /** An email with its key, of what was written: the same email has the same hash, alone or over the base of a batch. */
  mailOf(key: string, written: readonly JsonPart[], to: Destination, base?: WrittenMail): Promise<KeyedMail>;
  /** Whether two emails may have the same content. */
  mayBeSame(one: KeyedMail, other: KeyedMail): boolean;
  /** Claims the keys of a request for each of its attempts, and records what becomes of them. */
  claimOf<T>(request: KeyedRequest<T>): Claim<T>;
  /** Finds out what became of the keys whose outcome is unknown. The options have been checked. */
  settleUnknown(options: SettleOptions): Promise<SettleResult>;
}

/** The email log, in which keys are looked for. */
export interface SearchedLog {
  list(params: EmailLogListParams, options: RequestOptions): Pager<EmailLogMessage, EmailLogPage>;
  /** Whether the service takes a query as long as this. */
  takes(query: EmailLogListParams): boolean;
}

/** The parts of the client that a journal's keys use. */
export interface KeysOf {
  readonly log: SearchedLog;
  readonly runtime: Runtime;
}
