/**
 * Whether the service may have acted on the call when it failed: `none`, certainly not; `unknown`, it may have.
 * It speaks of the request, not of its method: a read that was under way is `unknown` too, and harmless.
 */
export type Effect = 'none' | 'unknown';

/** What an error is, for programs; it does not change between versions. */
export type ErrorCode =
  | 'configuration'
  | 'invalid_request'
  | 'api_error'
  | 'bad_request'
  | 'authentication_failed'
  | 'permission_denied'
  | 'not_found'
  | 'unprocessable'
  | 'validation_failed'
  | 'lifecycle_rejected'
  | 'rate_limited'
  | 'server_error'
  | 'redirect_refused'
  | 'connection_failed'
  | 'timeout'
  | 'aborted'
  | 'response_format'
  | 'pagination_loop';

/** The call an error belongs to. Holds no header, no query and no body. */
export interface RequestSummary {
  /** The method called, for instance `campaigns.create`. */
  readonly operation: string;
  /** The HTTP method. */
  readonly method: string;
  /** The path, without host and query. */
  readonly path: string;
  /** Requests sent, the failed one included; 0 when none was. */
  readonly attempts: number;
  /** Milliseconds from the call to its failure, waits included. */
  readonly elapsedMs: number;
}

/** What every error of this package is made from. */
export interface ErrorInit {
  /** Its class's own by default. */
  readonly code?: ErrorCode;
  readonly effect: Effect;
  readonly cause?: unknown;
}

/** Shared by every copy of the package in a process, so that `instanceof` works across them. */
const KIND = Symbol.for('email-platform.error');

/** Whether a value, or a prototype of it, was marked as this kind by any copy of the package. */
function isOfKind(value: unknown, kind: unknown): boolean {
  let level: unknown = value;
  while (typeof level === 'object' && level !== null) {
    if (Object.getOwnPropertyDescriptor(level, KIND)?.value === kind) return true;
    level = Object.getPrototypeOf(level);
  }
  return false;
}

/** Says what a class of errors is, and their code. Names are set by hand: a minifier renames the classes. */
export function mark(
  { prototype }: { readonly prototype: EmailPlatformError },
  kind: string,
  code: ErrorCode | 'error',
  name = kind,
): void {
  Object.defineProperty(prototype, KIND, { value: kind });
  Object.defineProperty(prototype, 'name', { value: name, writable: true, configurable: true });
  Object.defineProperty(prototype, 'code', { value: code, writable: true });
}

/**
 * The base of every error this package throws.
 *
 * It never holds the token, a request header or a request body: it can be logged as it is.
 */
export class EmailPlatformError extends Error {
  static {
    mark(this, 'EmailPlatformError', 'error');
  }

  /** Stable and machine-readable. */
  declare readonly code: ErrorCode;
  /** Whether the service may have acted on the call. */
  readonly effect: Effect;
  /** The call that failed; absent when there was none, as in a constructor. */
  declare readonly request?: RequestSummary;

  /** @internal */
  constructor(message: string, init: ErrorInit) {
    super(message, 'cause' in init ? { cause: init.cause } : undefined);
    this.code = init.code ?? this.code;
    this.effect = init.effect;
  }

  /**
   * True for an error of this class made by any copy of the package (an ESM and a CommonJS one in the same
   * process, say). Returns `boolean`, not a type predicate, so that subclasses narrow to themselves.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const prototype = this.prototype as object;
    const own = Object.getOwnPropertyDescriptor(prototype, KIND);
    // A subclass made elsewhere carries no mark of its own: only its real instances are its instances.
    return own ? isOfKind(value, own.value) : Object.prototype.isPrototypeOf.call(prototype, value as object);
  }

  /** What a structured log wants: name, message and the fields, without stack and cause. */
  toJSON(): Record<string, unknown> {
    return { ...Object.fromEntries(Object.entries(this)), name: this.name, message: this.message };
  }
}

/**
 * Fills in what is known only where the call is known: errors are made deeper down. `maybeActed` says that an earlier
 * attempt of the same call may have reached the service, whatever became of the last one.
 */
export function completeError(error: EmailPlatformError, request: RequestSummary, maybeActed: boolean): void {
  if (error.request !== undefined) return;
  Object.defineProperty(error, 'request', { value: Object.freeze(request), enumerable: true });
  if (maybeActed) Object.defineProperty(error, 'effect', { value: 'unknown', enumerable: true });
}
