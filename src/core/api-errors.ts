import { EmailPlatformError, mark, type Effect, type ErrorCode } from './error-base.ts';
import type { PoolName } from './throttle.ts';

/** What the service answered, as an error keeps it. */
export interface ApiErrorInit {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly messages: readonly string[];
  readonly code?: ErrorCode;
  readonly effect?: Effect;
}

/** The service answered with an error status. The subclasses say which. */
export class ApiError extends EmailPlatformError {
  static {
    mark(this, 'ApiError', 'api_error');
  }

  /** The HTTP status; 0 for a redirect a browser keeps to itself. */
  readonly status: number;
  /** The response's headers. */
  readonly headers: Headers;
  /** The parsed JSON body, or its text when it is not JSON; `''` when there was none. */
  readonly body: unknown;
  /** The service's own words, from whichever of its shapes the body has; empty when it said nothing readable. */
  readonly messages: readonly string[];
  /** The service's id for the request, for its support; absent when it sent none or a browser hides it. */
  declare readonly requestId?: string;

  /** @internal */
  constructor(message: string, init: ApiErrorInit) {
    const { status } = init;
    // Below 500 the service refused; above, and on its own time-outs and redirects, it may have acted.
    const refused = status >= 400 && status < 500 && status !== 408;
    super(message, { effect: refused ? 'none' : 'unknown', ...init });
    this.status = status;
    this.headers = init.headers;
    this.body = init.body;
    this.messages = init.messages;
    const requestId = init.headers.get('x-request-id');
    if (requestId !== null) this.requestId = requestId;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), headers: Object.fromEntries(this.headers) };
  }
}

/** 400: the service could not read the parameters. */
export class BadRequestError extends ApiError {
  static {
    mark(this, 'BadRequestError', 'bad_request');
  }
}

/** 401: the token is missing or not valid. */
export class AuthenticationError extends ApiError {
  static {
    mark(this, 'AuthenticationError', 'authentication_failed');
  }
}

/** 403: the token lacks the permission. */
export class PermissionDeniedError extends ApiError {
  static {
    mark(this, 'PermissionDeniedError', 'permission_denied');
  }
}

/** 404: no such object, or none that this token can see. */
export class NotFoundError extends ApiError {
  static {
    mark(this, 'NotFoundError', 'not_found');
  }
}

/** 422: understood, and refused. Usually one of its subclasses. */
export class UnprocessableError extends ApiError {
  static {
    mark(this, 'UnprocessableError', 'unprocessable');
  }
}

/** 422 on a create, update or delete: fields that break the service's rules. */
export class ValidationError extends UnprocessableError {
  static {
    mark(this, 'ValidationError', 'validation_failed');
  }

  /** The service's messages by field; keys may be dotted, as `template.subject`. `base` is the object as a whole. */
  readonly fieldErrors: Readonly<Record<string, string[]>>;

  /** @internal */
  constructor(message: string, init: ApiErrorInit & { fieldErrors: Record<string, string[]> }) {
    super(message, init);
    this.fieldErrors = init.fieldErrors;
  }
}

/** 422 on an action: the object's state does not allow it, or it is not ready for it. */
export class LifecycleError extends UnprocessableError {
  static {
    mark(this, 'LifecycleError', 'lifecycle_rejected');
  }

  /** Why not: one reason for a wrong state or time, all of them for a failed sending validation. */
  readonly reasons: readonly string[];

  /** @internal */
  constructor(message: string, init: ApiErrorInit) {
    super(message, init);
    this.reasons = init.messages;
  }
}

/** 429: a rate limit was reached, and waiting for it was not possible. */
export class RateLimitError extends ApiError {
  static {
    mark(this, 'RateLimitError', 'rate_limited');
  }

  /** When the limit resets; absent when the service did not say. */
  declare readonly resetAt?: Date;
  /** Milliseconds to wait, by the service's own clock; absent when it did not say. */
  declare readonly retryAfterMs?: number;
  /** The pool that was refused, as far as the answer tells. */
  declare readonly pool?: PoolName;

  /** @internal */
  constructor(
    message: string,
    init: ApiErrorInit & {
      resetAt?: Date | undefined;
      retryAfterMs?: number | undefined;
      pool?: PoolName | undefined;
    },
  ) {
    super(message, init);
    if (init.resetAt) this.resetAt = init.resetAt;
    if (init.retryAfterMs !== undefined) this.retryAfterMs = init.retryAfterMs;
    if (init.pool !== undefined) this.pool = init.pool;
  }
}

/** 5xx: the service failed; it may have acted before it did. */
export class ServerError extends ApiError {
  static {
    mark(this, 'ServerError', 'server_error');
  }
}
