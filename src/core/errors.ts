import { EmailPlatformError, mark, type Effect, type ErrorCode } from './error-base.ts';

/** One thing wrong with what was passed in. */
export interface Issue {
  /** Where, as written in code: `template_attributes.subject`, `contact_list_ids[2]`. */
  readonly path: string;
  /** The rule that was broken. Never repeats the value. */
  readonly message: string;
}

/** Of many issues, so many are told in a message. */
const MOST_TOLD = 10;

/** Issues as one sentence. */
export function summaryOf(issues: readonly Issue[]): string {
  const told = issues.slice(0, MOST_TOLD).map(({ path, message }) => `${path}: ${message}`);
  const more = issues.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** An option is missing or wrong; thrown when the client is made, or at the first call that needs it. */
export class ConfigurationError extends EmailPlatformError {
  static {
    mark(this, 'ConfigurationError', 'configuration');
  }

  /** The option at fault, for instance `hosts.send`. */
  readonly option: string;

  /** @internal */
  constructor(message: string, init: { readonly option: string; readonly cause?: unknown }) {
    super(message, { effect: 'none', ...init });
    this.option = init.option;
  }
}

/** The arguments of a call break a rule; found before a request was spent. */
export class InvalidRequestError extends EmailPlatformError {
  static {
    mark(this, 'InvalidRequestError', 'invalid_request');
  }

  /** Everything that is wrong, not only the first. */
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

/** Where on its way a connection failed. In a browser it is always `unknown`. */
export type ConnectionPhase = 'dns' | 'connect' | 'tls' | 'exchange' | 'unknown';

/** No answer: the name was not found, nobody listened, or the connection broke. The system's own error is the `cause`. */
export class ConnectionError extends EmailPlatformError {
  static {
    mark(this, 'ConnectionError', 'connection_failed');
  }

  /** How far the request had come. */
  readonly phase: ConnectionPhase;

  /** @internal */
  constructor(message: string, init: { phase: ConnectionPhase; effect: Effect; cause?: unknown }) {
    super(message, init);
    this.phase = init.phase;
  }
}

/** The caller's signal ended the call. The signal's reason is the `cause`. */
export class AbortedError extends EmailPlatformError {
  static {
    // The platform's own name for it, so that `error.name === 'AbortError'` works as everywhere.
    mark(this, 'AbortedError', 'aborted', 'AbortError');
  }
}

/** Time ran out: that of one attempt (`timeoutMs`), or that of the whole call (`deadlineMs`). */
export class TimeoutError extends EmailPlatformError {
  static {
    mark(this, 'TimeoutError', 'timeout');
  }

  /** Which of the two limits was reached. */
  readonly kind: 'attempt' | 'deadline';

  /** @internal */
  constructor(message: string, init: { kind: 'attempt' | 'deadline'; effect: Effect; cause?: unknown }) {
    super(message, init);
    this.kind = init.kind;
  }
}

/** The service answered 2xx with something that cannot be its answer: not JSON, or without its envelope. */
export class ResponseFormatError extends EmailPlatformError {
  static {
    mark(this, 'ResponseFormatError', 'response_format');
  }

  /** What a schema passed to `client.request` found wrong; otherwise empty. */
  readonly issues: readonly Issue[];

  /** @internal */
  constructor(
    message: string,
    { issues = [], ...init }: { code?: ErrorCode; effect: Effect; issues?: readonly Issue[] },
  ) {
    super(message, init);
    this.issues = issues;
  }
}
