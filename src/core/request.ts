import type { ApiPromise, ResponseInfo } from './api-promise.ts';
import type { CallSite } from './call-site.ts';
import type { Decoder } from './decoder.ts';
import type { Effect } from './error-base.ts';
import type { IdempotencyError, Issue } from './errors.ts';
import type { JsonPart } from './json.ts';
import type { Reach } from './reach.ts';
import type { Rule } from './rules.ts';
import type { QueryValue } from './query.ts';
import type { Priority } from './limits.ts';

/** The HTTP methods the service uses. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The service's hosts, as named in the client's `hosts` option. */
export type HostName = 'api' | 'send' | 'bulk' | 'sandbox';
export const HOST_NAMES: readonly HostName[] = ['api', 'send', 'bulk', 'sandbox'];

/** How failed requests are retried. */
export interface RetryOptions {
  /**
   * Retries after the first attempt has failed. Retries after a 429 do not count.
   * @defaultValue 3
   */
  readonly maxRetries?: number | undefined;
  /**
   * The longest single wait before a retry, in milliseconds; a call that would have to wait longer fails at once. Time
   * in the throttle's queue does not count.
   * @defaultValue 90_000
   */
  readonly maxWaitMs?: number | undefined;
}

/** Options of a single call; every method takes them as its last argument. */
export interface RequestOptions {
  /** Its abort ends the call in the queue, in flight, or in the wait before a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, including its body. The client's `timeoutMs` by default. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for the whole call: attempts, waits and time in the queue. The client's `deadlineMs` by default. */
  readonly deadlineMs?: number | undefined;
  /**
   * Retry settings for this call; a setting that is left out is the client's, or the default if the client does not
   * retry. `false` for no retries, not even after a 429.
   */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * Additional request headers. `Accept` and `User-Agent` replace the client's; those of the token, `Content-Type` and
   * those of the connection are refused.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Priority in the throttle's queue.
   * @defaultValue 'normal'
   */
  readonly priority?: Priority | undefined;
  /**
   * Account to act on, in place of the client's `accountId`. A call whose path has no account refuses it, such as those of
   * campaigns. Email logs use the account form of their path only if the call itself names the account.
   */
  readonly accountId?: number | undefined;
  /** Your own value, such as the id of a trace. All events of the call contain it; it is not sent. */
  readonly meta?: unknown;
}

/**
 * One call of an endpoint, as plain data: a resource builds it, and the transport needs no other facts of the endpoint.
 */
export interface RequestSpec<T> {
  /** The method's name, for errors and hooks: `campaigns.create`. */
  readonly operation: string;
  readonly method: HttpMethod;
  readonly host: HostName;
  /** The path, percent-encoded. An argument that `check` refuses is its name in braces. */
  readonly path: string;
  /** The declared endpoint, for traces; absent if none is declared. */
  readonly template?: string;
  /** An address from the service, fetched in place of the path. */
  readonly signed?: SignedAddress | undefined;
  /** Creates the query, after the check of the arguments. */
  readonly query?: (() => Readonly<Record<string, QueryValue>> | undefined) | undefined;
  /** Creates the body to serialize as JSON, after the check of the arguments. */
  readonly body?: (() => unknown) | undefined;
  /**
   * The recipients of the request; false if it reaches no person. Only a client with a guard reads it. Without a
   * declaration, such a client sends only a GET.
   */
  readonly reaches?: () => Reach | false | undefined;
  /** Checks the call's options, for a method with options besides the common ones. */
  readonly optionsRule?: Rule;
  /** Returns all problems of the arguments; called before a request is sent. */
  readonly check?: () => readonly Issue[];
  /** Whether sending it twice has the same effect as sending it once. Always true of GET, PUT and DELETE. */
  readonly repeatable?: boolean | undefined;
  /** Describes how the response becomes the result. */
  readonly decoder: Decoder<T>;
  /** Finds out whether an attempt with a lost response succeeded, after its retry is refused. */
  readonly ifLost?: IfLost<T> | undefined;
  /** The emails of a request that sends some. */
  readonly mails?: MailRequest<T> | undefined;
  /** Called when the call begins, with the search for its tokens. */
  readonly onTokens?: ((tokens: TokenSearch) => void) | undefined;
}

/** Searches texts for the tokens of a call, without access to the tokens. */
export interface TokenSearch {
  /** Whether a text contains one of the tokens, as it is or in an encoding that is searched. */
  areIn(text: string): boolean;
  /** The length in characters of the longest token, in any of these encodings. */
  reach(): number;
}

/** An address from the service. */
export interface SignedAddress {
  /**
   * A pre-signed URL, or its path on the host. Fetched without the token and the client's headers; counts against no
   * pool.
   */
  readonly url: string;
  /** Whether it may be an API path instead, which is fetched with the token and counted like every request. */
  readonly maybeApiPath: boolean;
}

/** A caller's watch over an email that it sends. */
export interface SentWhile {
  /** Its abort ends the call in any wait, so that no further request is sent. A request in flight is completed. */
  readonly whileWanted?: AbortSignal | undefined;
  /** Called when the call has asked for a permit: from then on, the throttle counts it. A retry calls it again. */
  readonly onAsked?: (() => void) | undefined;
}

/** The part of a request that sends emails. */
export interface MailRequest<T> extends SentWhile {
  /** The largest body the service accepts. */
  readonly maxBodyBytes?: number | undefined;
  /** Adds attachments to the JSON of `body`, and hashes an email with a key. Called once for all attempts; the signal ends it. */
  readonly complete?: ((json: string, signal: AbortSignal) => Promise<WrittenMails<T>>) | undefined;
  /** The serialized emails, sent in place of `body`. Each has passed the client's guard. */
  readonly written?: WrittenMails<T> | undefined;
}

/** Serialized emails. */
export interface WrittenMails<T> {
  readonly parts: readonly JsonPart[];
  /** The emails with their keys; undefined if they have none. */
  readonly keyed: KeyedMails<T> | undefined;
}

/** Whether sending a request twice has the same effect as sending it once. */
export const isRepeatable = (spec: Pick<RequestSpec<unknown>, 'method' | 'repeatable'>): boolean =>
  spec.repeatable === true || ['GET', 'PUT', 'DELETE'].includes(spec.method);

/**
 * Finds out whether an attempt with a lost response succeeded. For example, the connection of a request to start a
 * campaign breaks, and the service refuses the retry because the campaign is not a draft: either the first attempt
 * started it, or it was not a draft before. After a refusal with `status`, `resolve` decides, in this case by reading
 * the campaign.
 */
export interface IfLost<T> {
  /** The status of a refusal that calls `resolve`. */
  readonly status: number;
  /**
   * Resolves to the call's result, or to undefined, or rejects, if the lost attempt failed: its error is then thrown.
   * Its requests are part of the call, and take these options.
   */
  readonly resolve: (options: RequestOptions) => Promise<LostResult<T> | undefined>;
}

/** The result of a lost attempt that succeeded. Without a response of its own, it gets the response of the refusal. */
export interface LostResult<T> {
  readonly data: T;
  readonly response?: ResponseInfo;
}

/**
 * The stream of an email: `transactional` for one-to-one emails in real time, `bulk` for promotional emails to many
 * recipients, `sandbox` to capture emails instead of delivering them.
 */
export type Stream = 'transactional' | 'bulk' | 'sandbox';
export const STREAMS: readonly Stream[] = ['transactional', 'bulk', 'sandbox'];

/** The client's settings that a request may depend on, and the options of its call. */
export interface RequestContext {
  /** The call's options as `execute` copied them. They are unchecked: they may be of any type, except null. */
  readonly options: RequestOptions;
  readonly accountId: number | undefined;
  /** The call's option `accountId`. */
  readonly accountIdOfCall: number | undefined;
  readonly stream: Stream;
  readonly sandboxInboxId: number | undefined;
}

/** A key, and the email that it identifies. */
export interface Key {
  readonly key: string;
  /** The hash of the email's content. */
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
export interface KeyOutcome {
  readonly state: 'accepted' | 'unknown' | 'released';
  readonly messageIds: readonly string[];
}

/** The decision about each email, and two functions that record the end of the attempt for the keys it claimed. */
export interface DecidedKeys {
  readonly kind: 'decided';
  readonly decisions: readonly Decision[];
  /** Records the outcome of each claimed key, in the order of the claims. */
  answered(outcomes: readonly KeyOutcome[]): Promise<void>;
  /** Records a failure of the attempt with this effect. */
  failed(effect: Effect): Promise<void>;
}

/** Some keys need a search of the log, because their emails may have been sent. Until then no key is claimed. */
export interface UnsettledKeys {
  readonly kind: 'unsettled';
  /** The decision about each email if the search does not happen. */
  readonly decisions: readonly Decision[];
  /** Searches the log with further requests. The caller then claims the keys again. */
  lookUp(options: RequestOptions): Promise<void>;
}

/** The keys of one request. */
export interface RequestKeys {
  /** Claims the keys for an attempt of the call. An attempt that searches the log claims them again. */
  claim(leaseMs: number): Promise<DecidedKeys | UnsettledKeys>;
}

/** The emails of a request that have keys, over all attempts of its call. Positions identify them. */
export interface KeyedMails<T> {
  readonly keys: RequestKeys;
  /** Whether the request sends one email: its error then has the state of the key. Otherwise each outcome has it. */
  readonly isOne: boolean;
  /** Remembers the decisions of the last claim that ended in time. */
  decided?(decisions: readonly Decision[]): void;
  /** The body with these emails, and no others. */
  bodyOf(positions: readonly number[]): JsonPart;
  /** The result if none of the emails is sent now. */
  unsent(decisions: readonly Decision[]): T;
  /** The outcomes of these emails, from the result of the service. */
  outcomesOf(result: T, positions: readonly number[]): readonly KeyOutcome[];
}

/**
 * Runs a request. The only dependency of a resource.
 *
 * The code that sends is `createExecute` in `src/transport/execute.ts`. Resources do not import it, so this is its type.
 */
export type Execute = <T>(
  request: RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>),
  options?: RequestOptions,
  /** The place of the call, if the stack no longer has it. */
  site?: CallSite,
) => ApiPromise<T>;
