/**
 * The journal as sending uses it. `src/entries/journal/keys` implements it, so that a client without a journal does not load
 * that code.
 */
import type { Key, RequestKeys, RequestOptions, Stream } from './request.ts';
import type { JsonPart } from './json.ts';
import type { ApiPromise } from './api-promise.ts';
import type { Page } from './pager.ts';
import type { QueryValue } from './query.ts';
import type { SettleOptions, SettleResult } from './settle-types.ts';

/** The destination of an email. */
export interface Destination {
  readonly stream: Stream;
  readonly sandboxInboxId: number | undefined;
}

/** A serialized email, with hashes in place of the contents of its attachments. */
export type WrittenMail = Readonly<Record<string, unknown>>;

/** The journal of a client, as sending uses it. */
export interface SendingJournal {
  /** Name of the custom variable that carries the key of an email. */
  readonly variable: string;
  /** The shared fields of the emails of a serialized batch. */
  baseOf(batch: readonly JsonPart[]): Promise<WrittenMail>;
  /** The key of a serialized email: the same email has the same hash, alone or with the base of a batch. */
  keyFor(key: string, written: readonly JsonPart[], to: Destination, base?: WrittenMail): Promise<Key>;
  /** Whether the emails of two keys may have the same content. */
  mayBeSame(one: Key, other: Key): boolean;
  /** The keys of one request, which each of its attempts claims. */
  keysOf(operation: string, keys: readonly Key[]): RequestKeys;
  /** Settles the keys with an unknown outcome. The options have been checked. */
  settleUnknown(options: SettleOptions): Promise<SettleResult>;
}

/** The filters of the email log that a search for keys uses. */
export type SearchedFilters = Readonly<{
  sent_after?: Date | undefined;
  to?: { readonly operator: 'ci_equal'; readonly value: string[] } | undefined;
}>;

/** A page of the email log, newest message first. */
export interface LogPage extends Page<unknown> {
  readonly messages: readonly unknown[];
  readonly total_count: number;
}

/** The email log, which is searched for keys. */
export interface SearchedLog {
  list(
    params: { readonly filters: SearchedFilters },
    options: RequestOptions,
  ): Pick<ApiPromise<LogPage>, 'withResponse'>;
  /** Whether the service accepts a query of this length. */
  takes(query: Readonly<Record<string, QueryValue>>): boolean;
}
