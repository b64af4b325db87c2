import { brand, EmailPlatformError, type ErrorInit } from './error-base.ts';

/** One problem found in a value. */
export interface Issue {
  /** The path of the problem, as written in code: `template_attributes.subject`, `contact_list_ids[2]`. */
  readonly path: string;
  /** The broken rule. Never contains the value. */
  readonly message: string;
}

/** The issues as one line of text. */
export const summaryOf = (issues: readonly Issue[]): string =>
  issues.map(({ path, message }) => `${path}: ${message}`).join('; ');

/** An option is missing, wrong or unknown. Thrown when the client is created, or by the first call that needs it. */
export class ConfigurationError extends EmailPlatformError {
  /** Name of the option at fault, such as `hosts.send`. */
  readonly option: string;

  /** @internal */
  constructor(message: string, init: { readonly option: string; readonly cause?: unknown }) {
    const { option, ...others } = init;
    super(message, { effect: 'none', ...others });
    this.option = option;
  }
}

/** The arguments of a call are invalid. Thrown before a request is sent. */
export class InvalidRequestError extends EmailPlatformError {
  /** Every problem found, not only the first. */
  readonly issues: readonly Issue[];

  /** @internal */
  constructor(
    issues: readonly Issue[],
    init: { readonly operation?: string; readonly cause?: unknown } = {},
  ) {
    const { operation = 'The request', ...others } = init;
    super(`${operation} was not sent: ${summaryOf(issues)}`, { effect: 'none', ...others });
    // Without the other fields of a rule's issue.
    this.issues = issues.map(({ path, message }) => ({ path, message }));
  }
}

/** Refuses a call with invalid arguments. */
export function refuseCall(operation: string, issues: readonly Issue[]): void {
  if (issues.length > 0) throw new InvalidRequestError(issues, { operation });
}

/** The error for one invalid argument of a call. */
export const wrongArgument = (
  operation: string,
  path: string,
  message: string,
  cause?: unknown,
): InvalidRequestError => new InvalidRequestError([{ path, message }], { operation, cause });

/** For `tried`: refuses a call with unreadable arguments. Throws an error of this package unchanged. */
export const unreadable =
  (
    operation: string,
    refusal = (cause: unknown): EmailPlatformError =>
      wrongArgument(operation, 'arguments', 'cannot be read', cause),
  ) =>
  (cause: unknown): never => {
    throw cause instanceof EmailPlatformError ? cause : refusal(cause);
  };

/**
 * The client's option `recipients` does not allow every recipient of the call. No request was sent. The error contains
 * paths in the arguments, and no address.
 */
export class RecipientRefusedError extends EmailPlatformError {
  /** The number of refused recipients; 0 if the call does not name its recipients, for instance to start a campaign. */
  readonly count: number;
  /**
   * The paths of the refused recipients in the request, as written in code: `bcc[2]`, `requests[3].to[0]`; at most 100.
   */
  readonly places: readonly string[];

  /** @internal */
  constructor(message: string, init: { readonly count: number; readonly places: readonly string[] }) {
    const { count, places } = init;
    super(message, { effect: 'none' });
    this.count = count;
    this.places = places;
  }
}

/** How far a request got before its connection failed. In a browser it is always `unknown`. */
export type ConnectionPhase = 'dns' | 'connect' | 'tls' | 'exchange' | 'unknown';

/**
 * No response: the host name was not found, no connection could be made, the host's certificate was rejected, or the
 * connection broke. The system's own error is the `cause`.
 */
export class ConnectionError extends EmailPlatformError {
  /** How far the request got. */
  readonly phase: ConnectionPhase;

  /** @internal Declares the constructor arguments of the class. */
  public constructor(message: string, init: ErrorInit & { readonly phase: ConnectionPhase }) {
    super(message, init);
    this.phase = init.phase;
  }
}

/** The caller's signal was aborted; its reason is the `cause`. The error's `name` is `AbortError`. */
export class AbortedError extends EmailPlatformError {}

/** A time limit was exceeded: that of one attempt (`timeoutMs`), or that of the whole call (`deadlineMs`). */
export class TimeoutError extends EmailPlatformError {
  /** Which limit was exceeded: `attempt` for `timeoutMs`, `deadline` for `deadlineMs`. */
  readonly kind: 'attempt' | 'deadline';

  /** @internal Declares the constructor arguments of the class. */
  public constructor(message: string, init: ErrorInit & { readonly kind: 'attempt' | 'deadline' }) {
    super(message, init);
    this.kind = init.kind;
  }
}

/**
 * The status was 2xx, but the response is not the documented one: the body is not JSON, does not say that an email was
 * accepted, … Or it does not match a schema passed to `client.request`, or, with `validateResponses: 'throw'`, its own.
 * Or, with code `pagination_loop`, a list led back to an earlier page.
 */
export class ResponseFormatError extends EmailPlatformError {
  /** The differences between the response and its schema; empty for another problem. */
  readonly issues: readonly Issue[];

  /** @internal */
  constructor(message: string, init: ErrorInit & { readonly issues?: readonly Issue[] }) {
    super(message, init);
    this.issues = init.issues ?? [];
  }
}

/** The recorded facts of a key, from before the refused call. */
export interface PreviousSend {
  /** The state of its email: the service accepted it, it is being sent, or its outcome is unknown. */
  readonly state: 'accepted' | 'in_progress' | 'unknown';
  /** Ids of its messages, if the service accepted it. */
  readonly message_ids: readonly string[];
}

/**
 * An `idempotencyKey` was used before, so this call sent no request. Its `code` is the outcome of the key's email:
 *
 * - `key_reused`: the key belongs to an email with other content. The effect is `none`.
 * - `in_progress`: this process or another is sending it now. Retryable, after `retryAfterMs`.
 * - `unknown`: it may have been sent; the email log does not have it, or could not be read (see `cause`). Retryable only if
 *   more can be known later, after `retryAfterMs`.
 */
export class IdempotencyError extends EmailPlatformError {
  declare readonly code: 'key_reused' | 'in_progress' | 'unknown';
  /** The key. */
  readonly key: string;
  /** The recorded facts of the key. */
  readonly previous: PreviousSend;
  /** Milliseconds after which a repeated call may know the outcome; undefined if time alone does not change it. */
  readonly retryAfterMs: number | undefined;

  /** @internal */
  constructor(
    message: string,
    init: ErrorInit & {
      readonly key: string;
      readonly previous: PreviousSend;
      readonly retryAfterMs?: number | undefined;
    },
  ) {
    super(message, init);
    this.key = init.key;
    this.previous = init.previous;
    this.retryAfterMs = init.retryAfterMs;
  }
}

/**
 * A key could not be claimed, because its database failed: see `cause`. No request was sent. Not retryable if it would
 * fail each time, such as with a connection that the program is iterating.
 */
export class JournalError extends EmailPlatformError {
  /** @internal */
  constructor(message: string, init: { readonly cause?: unknown; readonly isRetryable?: boolean } = {}) {
    super(message, { effect: 'none', isRetryable: init.isRetryable ?? true, cause: init.cause });
  }
}

/** The error of a call whose journal failed. An error of the journal itself has no data of the database. */
export const journalFailure = (subject: string, cause: unknown): JournalError =>
  cause instanceof JournalError
    ? new JournalError(`${subject}: ${cause.message}`, { cause, isRetryable: cause.isRetryable })
    : new JournalError(`${subject}: the journal failed`, { cause });

brand(ConfigurationError, 'ConfigurationError', 'configuration');
brand(InvalidRequestError, 'InvalidRequestError', 'invalid_request');
brand(RecipientRefusedError, 'RecipientRefusedError', 'recipient_refused');
brand(ConnectionError, 'ConnectionError', 'connection_failed');
// The platform's own name for it, so that `error.name === 'AbortError'` works as usual.
brand(AbortedError, 'AbortError', 'aborted');
brand(TimeoutError, 'TimeoutError', 'timeout');
brand(ResponseFormatError, 'ResponseFormatError', 'response_format');
brand(IdempotencyError, 'IdempotencyError', 'idempotency');
brand(JournalError, 'JournalError', 'journal_failed');
