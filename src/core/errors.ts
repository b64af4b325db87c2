import { EmailPlatformError, mark, type Effect, type ErrorCode, type ErrorInit } from './error-base.ts';

/** One problem found in a value. */
export interface Issue {
  /** Where the problem is, as written in code: `template_attributes.subject`, `contact_list_ids[2]`. */
  readonly path: string;
  /** The rule that was broken. Never contains the value itself. */
  readonly message: string;
}

/** How many issues an error message lists; the rest are only counted. */
const MAX_LISTED = 10;

/** The issues as one line of text. */
export function summaryOf(issues: readonly Issue[]): string {
  const listed = issues.slice(0, MAX_LISTED).map(({ path, message }) => `${path}: ${message}`);
  const more = issues.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** An option is missing, wrong or unknown. Thrown when the client is created, or by the first call that needs it. */
export class ConfigurationError extends EmailPlatformError {
  /** Name of the option at fault, such as `hosts.send`. */
  readonly option: string;

  /** @internal */
  constructor(message: string, init: { readonly option: string; readonly cause?: unknown }) {
    super(message, { effect: 'none', ...init });
    this.option = init.option;
  }
}

/** The arguments of a call are invalid. Found before any request was sent. */
export class InvalidRequestError extends EmailPlatformError {
  /** Every problem found, not only the first. */
  readonly issues: readonly Issue[];

  /** @internal */
  constructor(
    issues: readonly Issue[],
    init: { readonly operation?: string; readonly cause?: unknown } = {},
  ) {
    super(`${init.operation ?? 'The request'} was not sent: ${summaryOf(issues)}`, {
      effect: 'none',
      ...init,
    });
    this.issues = issues;
  }
}

/** What is made of a caller's arguments; where a getter or a proxy of theirs throws, they are refused. */
export function reading<T>(operation: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof EmailPlatformError) throw cause;
    throw new InvalidRequestError([{ path: 'arguments', message: 'cannot be read' }], { operation, cause });
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

  /** @internal */
  constructor(message: string, init: { phase: ConnectionPhase; effect: Effect; cause?: unknown }) {
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

  /** @internal */
  constructor(message: string, init: ErrorInit & { kind: 'attempt' | 'deadline' }) {
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
  /** Where the response does not match its schema, and how; empty if that is not what is wrong. */
  readonly issues: readonly Issue[];

  /** @internal */
  constructor(
    message: string,
    {
      issues = [],
      ...init
    }: { code?: ErrorCode; effect: Effect; issues?: readonly Issue[]; cause?: unknown },
  ) {
    super(message, init);
    this.issues = issues;
  }
}

mark(ConfigurationError, 'ConfigurationError', 'configuration');
mark(InvalidRequestError, 'InvalidRequestError', 'invalid_request');
mark(ConnectionError, 'ConnectionError', 'connection_failed');
// The platform's own name for it, so that `error.name === 'AbortError'` works as usual.
mark(AbortedError, 'AbortedError', 'aborted', 'AbortError');
mark(TimeoutError, 'TimeoutError', 'timeout');
mark(ResponseFormatError, 'ResponseFormatError', 'response_format');
