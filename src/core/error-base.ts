import { siteOfNew, type CallSite } from './call-site.ts';
import { isolated } from './isolated.ts';
import { callersOf, placeOf, printableLines, printed } from './error-text.ts';
import { tried } from './tried.ts';

/**
 * Whether the service may have acted on a failed call: `none` means that it certainly did not, `unknown` that it may
 * have. The method makes no difference: a read that failed in flight is `unknown` too, although it is harmless.
 */
export type Effect = 'none' | 'unknown';

/** Machine-readable code of an error; stable across versions. */
export type ErrorCode =
  | 'configuration'
  | 'invalid_request'
  | 'recipient_refused'
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
  | 'pagination_loop'
  | 'idempotency'
  | 'key_reused'
  | 'in_progress'
  | 'unknown'
  | 'journal_failed'
  | 'template_invalid'
  | `webhook_${'signature_missing' | 'signature_invalid' | 'payload_unreadable'}`;

/** The call of an error. Contains no header, query or body. */
export interface RequestSummary {
  /** The method called, such as `campaigns.create`. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** Path of the request, without host and query. */
  readonly path: string;
  /** Number of requests sent, including the failed one; 0 if the call failed before its first. */
  readonly attempts: number;
  /** Milliseconds from the call to its failure, including waits. */
  readonly elapsedMs: number;
}

/** The fields of every error. Each class adds its own. */
export interface ErrorInit {
  /** @defaultValue the code of the error's class */
  readonly code?: ErrorCode;
  readonly effect: Effect;
  /** @defaultValue false */
  readonly isRetryable?: boolean;
  readonly cause?: unknown;
}

/** The platform's name for a method that prints an object. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** The symbol on the errors of a class and its subclasses. All copies of the package in a process recognize it. */
const brandOf = (code: string): symbol => Symbol.for(`email-platform.${code}`);

/** Gives an error class its name and its code. The name is set explicitly: minifiers rename classes. */
export function brand(
  { prototype }: { readonly prototype: EmailPlatformError },
  name: string,
  code: ErrorCode | 'error',
): void {
  Object.assign(prototype, { name, code, [brandOf(code)]: true });
}

/** The package's own text comes first; the service's may be as long as a page. */
const MAX_MESSAGE_LENGTH = 500;

const shortened = (message: string) =>
  message.length <= MAX_MESSAGE_LENGTH
    ? message
    : `${message.slice(0, MAX_MESSAGE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/**
 * Base class of every error this package throws.
 *
 * It never contains the token, a request header or a request body, so it can be logged as it is.
 */
export class EmailPlatformError extends Error {
  /** Machine-readable code; stable across versions. */
  readonly code: ErrorCode;
  /** Whether the service may have acted on the call: `none` (it did not) or `unknown` (it may have). */
  readonly effect: Effect;
  /** Whether the same call may succeed later and a repetition is safe. */
  readonly isRetryable: boolean;
  // `declare` keeps an optional field absent; otherwise printed errors would show it as undefined.
  /** The failed call; absent for an error without one, for instance of a constructor. */
  declare readonly request?: RequestSummary;
  /** The place of the call in your code, such as `signUp (/app/sign-up.js:7:20)`; undefined in a bundle. */
  declare readonly at?: string;

  /** @internal */
  constructor(message: string, init: ErrorInit) {
    super(shortened(printableLines(message)), init);
    // A getter: most errors are handled, and their place is never read. Defined first, so that a diff shows it among
    // the first fields.
    define(this, 'at', { get: () => placeOf(this), enumerable: true, configurable: true });
    this.code = init.code ?? new.target.prototype.code;
    this.effect = init.effect;
    this.isRetryable = init.isRetryable ?? false;
    const site = siteOfNew(new.target);
    if (site) formatLate(this, () => site.stack);
  }

  /**
   * True for an error of this class from any copy of the package, such as an ESM and a CommonJS copy in one process.
   * Returns `boolean`, not a type predicate, so that subclasses narrow to themselves.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A caller's subclass has no code of its own: only its own instances count.
    if (!Object.hasOwn(this.prototype, 'code')) return super[Symbol.hasInstance](value);
    // `in` would throw for a value that is not an object, and a throw costs far more than this check.
    if (Object(value) !== value) return false;
    // The value may be a proxy whose traps throw.
    return tried(
      () => brandOf(this.prototype.code) in (value as object),
      () => false,
    );
  }

  /** The error for a structured log: name, message, the place of the call and fields, without stack, cause and headers. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { name, message, ...(this as object) };
  }

  /**
   * The text that `console.log` of Node, Bun and Deno prints.
   *
   * @internal
   */
  [INSPECT](): string {
    return printed(this);
  }
}

/** Defines a property; a polluted `Object.prototype` adds nothing to its descriptor. */
const define = (error: object, name: string, descriptor: PropertyDescriptor) =>
  Object.defineProperty(error, name, isolated(descriptor));

/**
 * Replaces the getters of the stack and the place by values after the first read. Node reads the stack of an uncaught
 * error before it prints its fields, and would print a getter as `[Getter]`.
 */
function settleStack(error: EmailPlatformError, value: string | undefined): void {
  define(error, 'stack', { value, writable: true });
  const place = placeOf(error);
  define(error, 'at', { value: place, enumerable: place !== undefined });
}

/** Sets a stack that is formatted at its first read, under the error's name and message. */
function formatLate(error: EmailPlatformError, frames: () => unknown): void {
  const descriptor = {
    // Some runtimes and tools begin a stack with the error's name and message, others omit them.
    get: () => {
      const title = () => `${error.name}: ${error.message}`;
      // A program may format stacks as something else than text.
      const raw: unknown = tried(frames);
      const stack =
        raw === undefined || typeof raw === 'string' ? raw?.replace(/^Error:? ?(?=\n|$)/, title) : title();
      tried(() => settleStack(error, stack));
      return stack;
    },
    set: (value: unknown) => define(error, 'stack', { value, writable: true }),
    configurable: true,
  };
  // Node 20 formats the stack that is replaced.
  Reflect.deleteProperty(error, 'stack');
  define(error, 'stack', descriptor);
}

/**
 * Sets the stack of an error of this package to the place of the call, in place of the failing line inside the package.
 */
export function thrownFrom<E>(site: CallSite, error: E): E {
  if (error instanceof EmailPlatformError)
    formatLate(error, () => (typeof site.stack === 'string' ? callersOf(site.stack) : site.stack));
  return error;
}

/** The known facts of an error's call. */
interface CallSummary {
  readonly request: RequestSummary;
  readonly site: CallSite;
  /** Whether an earlier attempt may have reached the service, regardless of the last one. */
  readonly maybeActed?: boolean;
  readonly isRetryable?: boolean;
}

/** Completes an error with the facts of its call. An error that already has them changes only if `outdated` is true. */
export function completeError(error: EmailPlatformError, call: CallSummary, outdated = false): void {
  const { request, site, maybeActed, isRetryable } = call;
  if (error.request !== undefined && !outdated) return;
  Object.assign(
    error,
    { request: Object.freeze(request) },
    maybeActed && { effect: 'unknown' },
    isRetryable && { isRetryable },
  );
  thrownFrom(site, error);
}

brand(EmailPlatformError, 'EmailPlatformError', 'error');
