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
  /** Its abort ends the call in the queue, in flight, or in the wait before a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, including its body. The client's `timeoutMs` by default. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for the whole call: attempts, waits and time in the queue. The client's `deadlineMs` by default. */
  readonly deadlineMs?: number | undefined;
  /** Retry settings for this call, in place of the client's, or `false` for no retries: even a 429 is then thrown. */
  readonly retry?: RetryOptions | false | undefined;
  /** Additional request headers. Headers that the client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Priority in the throttle's queue.
   * @defaultValue 'normal'
   */
  readonly priority?: Priority | undefined;
  /**
   * Account to act on, in place of the client's `accountId`. A call whose path has no account refuses it. Campaigns and
   * sending have none: mail always leaves from the token's own account. Email logs use the account form of their path
   * only if the call itself names the account.
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
  readonly settle?: Settlement<T> | undefined;
  /** The emails of a request that sends some. */
  readonly mails?: MailRequest<T> | undefined;
}

/** An address from the service. */
export interface SignedAddress {
  /**
   * A pre-signed URL, or its path on the host. Fetched without the token and the client's headers; counts against no
   * pool.
   */
  readonly url: string;
  /** Whether it may be an API path instead, which is fetched with the token and counted like every request. */
  readonly maybeApiPath?: boolean;
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
  /** Adds attachments to the JSON of `body`. Called once for all attempts; the signal ends it. */
  readonly complete?: ((json: string, signal: AbortSignal) => Promise<WrittenMails<T>>) | undefined;
  /** The serialized emails, sent in place of `body`. Each has passed the client's guard. */
  readonly written?: WrittenMails<T> | undefined;
}

/** Serialized emails. */
export interface WrittenMails<T> {
  readonly parts: readonly JsonPart[];
  /** The claim of their keys; undefined if they have none. */
  readonly claim: Claim<T> | undefined;
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
export interface Settlement<T> {
  /** The status of a refusal that calls `resolve`. */
  readonly status: number;
  /**
   * Resolves to the call's result, or to undefined, or rejects, if the lost attempt failed: its error is then thrown.
   * Its requests are part of the call, and take these options.
   */
  readonly resolve: (options: RequestOptions) => Promise<Settled<T> | undefined>;
}

/** The result of a settled call. Without a response of its own, it gets the response of the refusal. */
export interface Settled<T> {
  readonly data: T;
  readonly response?: ResponseInfo;
}

/**
 * The stream of an email: `transactional` for one-to-one emails in real time, `bulk` for promotional emails to many
 * recipients, `sandbox` to capture emails instead of delivering them.
 */
export type Stream = 'transactional' | 'bulk' | 'sandbox';
export const STREAMS: readonly Stream[] = ['transactional', 'bulk', 'sandbox'];

/** The client's settings that a request may depend on, with the call's own `accountId`. */
export interface RequestContext {
  readonly accountId: number | undefined;
  /** The call's option `accountId`. */
  readonly accountIdOfCall: number | undefined;
  readonly stream: Stream;
  readonly sandboxInboxId: number | undefined;
}

/** Something to claim before the request, such as the keys of emails. */
export interface Claim<T> {
  /**
   * Sends an attempt after the claim, and records its outcome. Resolves to the result; sends no request if the result
   * is already recorded. A rejection is the error of the attempt.
   */
  send(attempt: ClaimingAttempt<T>): Promise<T>;
}

/** An attempt that is sent within a claim. */
export interface ClaimingAttempt<T> {
  readonly operation: string;
  /** Milliseconds that its request may take. */
  readonly timeoutMs: number;
  /** The options of further requests of the call. They are sent without a permit. */
  options(): RequestOptions;
  /** Runs a function while the attempt has its permit. */
  withPermit<R>(run: () => Promise<R>): Promise<R>;
  /** Waits for a promise, limited by the call and by `timeoutMs`. `doing` describes the wait in the error. */
  wait<R>(promise: Promise<R>, doing: string, timeoutMs?: number): Promise<R>;
  /** Sends the body. `check` runs right before the request leaves, and throws if it is too late. */
  send(body: string | Blob, check: () => void): Promise<T>;
  /** The service may have acted on the same call before: from now on, its failure has the effect `unknown`. */
  mayHaveActed(): void;
  /** Warns of a failure that does not change the outcome of the call. */
  warn(message: string, cause: unknown): void;
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
