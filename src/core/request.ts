import type { ApiPromise, ResponseInfo } from './api-promise.ts';
import type { Issue } from './errors.ts';
import type { Rule } from './rules.ts';
import type { QueryValue } from './query.ts';
import type { StandardSchema } from './standard-schema.ts';
import type { Priority } from './throttle.ts';

/** The HTTP methods the service uses. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The service's hosts, as named in the client's `hosts` option. */
export type HostName = (typeof HOST_NAMES)[number];
export const HOST_NAMES = ['api', 'send', 'bulk', 'sandbox'] as const;

/** How failed requests are repeated. */
export interface RetryOptions {
  /**
   * Repetitions after a failure, beside the first attempt; waits for a rate limit do not count.
   * @defaultValue 3
   */
  readonly maxRetries?: number | undefined;
  /**
   * The longest single wait before a repetition, in milliseconds; a longer one fails at once. Time in line for the
   * throttle is no such wait.
   * @defaultValue 90_000
   */
  readonly maxWaitMs?: number | undefined;
}

/** What may be set for one call; every method takes it as its last argument. */
export interface RequestOptions {
  /** Ends the call: in line, in flight, and while waiting to repeat. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, its body included. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for the whole call: every attempt, every wait, time in line. */
  readonly deadlineMs?: number | undefined;
  /** Retry settings for this call, or `false` for none: even a 429 is then thrown. */
  readonly retry?: RetryOptions | false | undefined;
  /** Further request headers. Those the client sets itself are refused. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Who goes first while calls wait in line.
   * @defaultValue 'normal'
   */
  readonly priority?: Priority | undefined;
  /** Account to act on, in place of the client's. */
  readonly accountId?: number | undefined;
}

/**
 * One endpoint call as plain data: what a resource method makes, and all that the transport knows of it.
 * A function in it is pure, but for the reading of streams in `prepareBody`.
 */
export interface RequestSpec<T> {
  /** The method's name, for errors and hooks: `campaigns.create`. */
  readonly operation: string;
  readonly method: HttpMethod;
  readonly host: HostName;
  /** The path with `{name}` places, filled from `pathParams` and encoded. */
  readonly path: string;
  /** A whole address that carries its own leave: it is sent neither the token nor headers of ours, and counts nowhere. */
  readonly signedUrl?: string;
  readonly pathParams?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Makes the JSON, in place of `body`, where that takes time; once, whatever the attempts. The signal ends it. */
  readonly prepareBody?: ((signal: AbortSignal) => Promise<string | Blob>) | undefined;
  /** The most the service takes. */
  readonly maxBodyBytes?: number;
  /** What is wrong with the call's options, where the method takes some besides those of any call. */
  readonly optionsRule?: Rule;
  /** Everything wrong with the arguments; run before a request is spent. */
  readonly check?: () => readonly Issue[];
  /** Whether sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean;
  readonly result: ResultReader<T>;
  /** What the JSON body should look like; run only when somebody listens for mismatches. */
  readonly schema?: () => StandardSchema;
  /** How the truth is found when an attempt's answer was lost and its repetition is refused. */
  readonly settle?: Settlement<T> | undefined;
}

/** Decides whether an attempt succeeded whose answer never came. */
export interface Settlement<T> {
  /** The refusal of the repetition that leaves it open. */
  readonly status: number;
  /** Resolves to the result if the lost attempt succeeded, to undefined if it did not. */
  readonly resolve: (execute: Execute) => Promise<Settled<T> | undefined>;
}

/** The result of a settled call; the response is that of the refusal when none is given. */
export interface Settled<T> {
  readonly data: T;
  readonly response?: ResponseInfo;
}

/** How the result is taken from a 2xx answer. */
export type ResultReader<T> =
  /** Nothing is read: the status is the answer. */
  | { readonly kind: 'none'; readonly value: T }
  /** The JSON body, unwrapped; undefined means that the envelope is missing. */
  | { readonly kind: 'json'; readonly unwrap: (body: unknown) => T | undefined }
  /** Whatever JSON there is, undefined when the body is empty; or what a schema of the caller's makes of it. */
  | { readonly kind: 'any'; readonly checkedBy: StandardSchema | undefined }
  /** The bytes of the body, or the body as it comes. */
  | { readonly kind: 'bytes' }
  | { readonly kind: 'stream' }
  /**
   * As `json`, but a 2xx is a success whatever its body, unless that says it refused: an unreadable one is unwrapped as
   * undefined.
   */
  | {
      readonly kind: 'lenient';
      readonly unwrap: (body: unknown) => T;
      readonly isRefusal?: (body: unknown) => boolean;
    };

/** Where mails go: real-time one-to-one, promotional and many, or into a sandbox that captures them. */
export type Stream = (typeof STREAMS)[number];
export const STREAMS = ['transactional', 'bulk', 'sandbox'] as const;

/** What a request may depend on beside its arguments: the client's settings, or the call's over them. */
export interface RequestContext {
  readonly accountId: number | undefined;
  readonly stream: Stream;
  readonly sandboxInboxId: number | undefined;
}

/** Runs requests. The one thing a resource is given. */
export type Execute = <T>(
  request: RequestSpec<T> | ((context: RequestContext) => RequestSpec<T>),
  options?: RequestOptions,
) => ApiPromise<T>;
