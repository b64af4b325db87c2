import type { ApiPromise, ResponseInfo } from './api-promise.ts';
import type { CallSite } from './call-site.ts';
import type { Decoder } from './decoder.ts';
import type { Issue } from './errors.ts';
import type { JsonPart } from './json-parts.ts';
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
  /** Ends the call when it is aborted, whether the call is queued, in flight or waiting for a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, including its body. The client's `timeoutMs` by default. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for the whole call: attempts, waits and time in the queue. The client's `deadlineMs` by default. */
  readonly deadlineMs?: number | undefined;
  /** Retry settings for this call, in place of the client's, or `false` for no retries: even a 429 is then thrown. */
  readonly retry?: RetryOptions | false | undefined;
  /** Additional request headers. Those the client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Priority in the throttle's queue.
   * @defaultValue 'normal'
   */
  readonly priority?: Priority | undefined;
  /**
   * Account to act on, in place of the client's `accountId`. A call whose path has no account refuses it, such as those
   * of campaigns and of sending: mail always leaves from the token's own account. Email logs use the account form of
   * their path only when the call itself names the account.
   */
  readonly accountId?: number | undefined;
  /** Any value of yours, such as the id of a trace. It is in all events of the call, and is not sent. */
  readonly meta?: unknown;
}

/** One call of an endpoint, as plain data: a resource builds it, and the transport knows nothing else of the endpoint. */
export interface RequestSpec<T> {
  /** The method's name, for errors and hooks: `campaigns.create`. */
  readonly operation: string;
  readonly method: HttpMethod;
  readonly host: HostName;
  /** The path, percent-encoded. Where `check` refuses an argument in it, the path has the argument's name in braces. */
  readonly path: string;
  /** The endpoint as it is declared, for traces; absent where none is. */
  readonly template?: string;
  /** An address that the service gave, fetched in place of the path. */
  readonly signed?: SignedAddress | undefined;
  /** Makes the query, once the arguments are checked. */
  readonly query?: (() => Readonly<Record<string, QueryValue>> | undefined) | undefined;
  /** Makes what is sent as JSON, once the arguments are checked. */
  readonly body?: (() => unknown) | undefined;
  /**
   * Whom it reaches, false for nobody; asked by a client with a guard only. Where that is not declared, such a client sends
   * nothing but a GET.
   */
  readonly reaches?: () => Reach | false | undefined;
  /** Checks the call's options, where the method takes some besides the common ones. */
  readonly optionsRule?: Rule;
  /** Returns everything wrong with the arguments; called before anything is sent. */
  readonly check?: () => readonly Issue[];
  /** Whether sending it twice does no more than sending it once. GET, PUT and DELETE need not say so. */
  readonly repeatable?: boolean | undefined;
  /** How the response becomes the result. */
  readonly decoder: Decoder<T>;
  /** Finds out whether an attempt succeeded whose response was lost, when its retry is refused. */
  readonly settle?: Settlement<T> | undefined;
  /** How emails are sent, where the request sends some. */
  readonly mails?: MailRequest<T> | undefined;
}

/** An address that the service has said. */
export interface SignedAddress {
  /** A pre-signed URL, or its path on the host: fetched without the token or our headers; counts against no pool. */
  readonly url: string;
  /** Whether it may be an API path instead, which is fetched with the token, and counted as any request. */
  readonly maybeApiPath?: boolean;
}

/** The part of a request that only sending emails has. */
export interface MailRequest<T> {
  /** The largest body the service accepts. */
  readonly maxBodyBytes?: number | undefined;
  /** Completes the JSON of `body`, where that takes time. Called once, for all attempts; the signal ends it. */
  readonly complete?: ((json: string, signal: AbortSignal) => Promise<WrittenMails<T>>) | undefined;
  /** The written emails, sent in place of `body`. They have passed the client's guard one by one. */
  readonly written?: WrittenMails<T> | undefined;
  /** Once aborted, the call sends no further request: it ends wherever it waits. A request in flight is completed. */
  readonly whileWanted?: AbortSignal | undefined;
}

/** Emails as they are sent. */
export interface WrittenMails<T> {
  readonly parts: readonly JsonPart[];
  /** The claim of their keys; undefined where they have none. */
  readonly claim: Claim<T> | undefined;
}

/** Whether sending a request twice does no more than sending it once. */
export const isRepeatable = (spec: Pick<RequestSpec<unknown>, 'method' | 'repeatable'>): boolean =>
  spec.repeatable === true || ['GET', 'PUT', 'DELETE'].includes(spec.method);

/**
 * Finds out whether an attempt succeeded whose response was lost. Say a request to start a campaign breaks off, and its
 * retry is refused because the campaign is not a draft: either the first attempt started it, or it was no draft before.
 * So when a retry is refused with `status`, `resolve` settles the question, in this case by reading the campaign.
 */
export interface Settlement<T> {
  /** The status of a refusal that leaves the question open. */
  readonly status: number;
  /**
   * Resolves to the call's result, or to undefined, or rejects, if the lost attempt failed: its error is then thrown.
   * Its requests are part of the call, and take these options.
   */
  readonly resolve: (options: RequestOptions) => Promise<Settled<T> | undefined>;
}

/** The result of a settled call. The response of the refusal stands in where there is no other. */
export interface Settled<T> {
  readonly data: T;
  readonly response?: ResponseInfo;
}

/**
 * Where emails are sent: `transactional` for one-to-one emails in real time, `bulk` for promotional emails to many
 * recipients, `sandbox` to capture emails instead of delivering them.
 */
export type Stream = 'transactional' | 'bulk' | 'sandbox';
export const STREAMS: readonly Stream[] = ['transactional', 'bulk', 'sandbox'];

/** The client's settings that a request may depend on, with the call's own `accountId`. */
export interface RequestContext {
  readonly accountId: number | undefined;
  /** The account that the call itself names. */
  readonly accountIdOfCall: number | undefined;
  readonly stream: Stream;
  readonly sandboxInboxId: number | undefined;
}

/** What has to be claimed before it is sent, such as the keys of emails. */
export interface Claim<T> {
  /**
   * Sends an attempt once everything is claimed, and records what became of it. Resolves to the result, which may be known
   * already: then nothing is sent. When it rejects, the attempt has failed with that error.
   */
  send(attempt: ClaimingAttempt<T>): Promise<T>;
}

/** An attempt that is sent within a claim. */
export interface ClaimingAttempt<T> {
  readonly operation: string;
  /** Milliseconds that it may take, once it is sent. */
  readonly timeoutMs: number;
  /** The options of further requests, which are part of the call. They are made without a permit. */
  options(): RequestOptions;
  /** Runs a function while the attempt has its permit. */
  withPermit<R>(run: () => Promise<R>): Promise<R>;
  /** Waits for a promise, but no longer than the call may take, nor than `timeoutMs`. `doing` is for the error then. */
  wait<R>(promise: Promise<R>, doing: string, timeoutMs?: number): Promise<R>;
  /** Sends it, with this body. `check` is called right before it leaves, and throws where that is too late. */
  send(body: string | Blob, check: () => void): Promise<T>;
  /** The service may have acted on the same call before: from now on, its failure has the effect `unknown`. */
  mayHaveActed(): void;
  /** Warns that something has failed which does not change the outcome of the call. */
  warn(message: string, cause: unknown): void;
}

/** Runs a request. The only thing a resource is given. */
export type Execute = <T>(
  request: RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>),
  options?: RequestOptions,
  /** Where the call was made, if that is not on the stack any more. */
  site?: CallSite,
) => ApiPromise<T>;
