import { effectOfStatus } from './effect.ts';
import { brand, EmailPlatformError, type Effect, type ErrorInit } from './error-base.ts';
import type { PoolName } from './limits.ts';

/** The parts of a response that an error keeps. */
export interface ApiErrorInit extends Omit<ErrorInit, 'effect'> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly messages: readonly string[];
  readonly retryAfterMs?: number | undefined;
  /** @defaultValue the effect of the status */
  readonly effect?: Effect;
}

/**
 * The service responded with an error status, or refused an email with a 2xx. Each subclass is for one status or one
 * kind of error.
 */
export class ApiError extends EmailPlatformError {
  /** HTTP status; 0 for a redirect that a browser hides. */
  readonly status: number;
  /** Response headers. */
  readonly headers: Headers;
  /** The parsed JSON body; the text of another body; `''` if there was none. */
  readonly body: unknown;
  /** The service's error messages, from any known format of the body; empty if the body has none. */
  readonly messages: readonly string[];
  /**
   * The service's id for the request, to quote to its support; absent if the service sent none or a browser hides it.
   */
  declare readonly requestId?: string;
  /**
   * Milliseconds to wait before the next try: the response's `Retry-After` or, after a 429, the time until the rate
   * limit resets, by the service's clock. Absent without such a header, and for a `Retry-After` in the past.
   */
  declare readonly retryAfterMs?: number;

  /** @internal */
  constructor(message: string, init: ApiErrorInit) {
    const { status, headers, body, messages, retryAfterMs } = init;
    super(message, { effect: effectOfStatus(status), ...init });
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.messages = messages;
    const requestId = headers.get('x-request-id');
    if (requestId !== null) this.requestId = requestId;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    // They may be long; for a log, `messages` is enough.
    for (const name of ['headers', 'body']) Object.defineProperty(this, name, { enumerable: false });
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), body: this.body };
  }
}

/** The reason in a rejected email's messages: a recipient's address, or the template. */
export type BadRequestReason = 'recipient' | 'template';

const REASONS: readonly (readonly [BadRequestReason, RegExp])[] = [
  ['recipient', /\brecipient|['"`](to|cc|bcc)\b/i],
  ['template', /\btemplate/i],
];

/** 400: the service could not read the parameters, or rejected an email. */
export class BadRequestError extends ApiError {
  /**
   * The reason in the service's messages, if their texts are recognized: a recipient's address is wrong, or the
   * template is. Absent for another reason, or for both.
   */
  declare readonly reason?: BadRequestReason;

  /** @internal */
  constructor(message: string, init: ApiErrorInit) {
    super(message, init);
    const [reason, another] = REASONS.filter(([, text]) => init.messages.some((each) => text.test(each)));
    if (reason && !another) [this.reason] = reason;
  }
}

/** 401: the token is missing or invalid. When sending, also: the sender's domain is not verified. */
export class AuthenticationError extends ApiError {}

/** 403: the token does not have the required permission. */
export class PermissionDeniedError extends ApiError {}

/** 404: the object does not exist, or the token cannot see it. Or 409: a message does not have the requested part. */
export class NotFoundError extends ApiError {}

/**
 * 422: the service understood the request and rejected it. Usually one of the subclasses, {@link ValidationError} or
 * {@link LifecycleError}.
 */
export class UnprocessableError extends ApiError {}

/** 422 to a create, update or delete: one or more fields break the service's rules. */
export class ValidationError extends UnprocessableError {
  /** The service's messages by field. Keys may be dotted, as in `template.subject`; `base` is the object as a whole. */
  readonly fieldErrors: Readonly<Record<string, string[]>>;

  /** @internal Declares the constructor arguments of the class. */
  public constructor(
    message: string,
    init: ApiErrorInit & { readonly fieldErrors: Readonly<Record<string, string[]>> },
  ) {
    super(message, init);
    this.fieldErrors = init.fieldErrors;
  }
}

/** 422 to an action: the object's state does not allow it, or the object is not ready for it. */
export class LifecycleError extends UnprocessableError {
  /** The reasons for the rejection: one for a wrong state or time, all of them for a failed sending validation. */
  readonly reasons: readonly string[];

  /** @internal */
  constructor(message: string, init: ApiErrorInit) {
    super(message, init);
    this.reasons = init.messages;
  }
}

/** 429: a rate limit was reached, and the call could not wait for its reset. */
export class RateLimitError extends ApiError {
  /** When the rate limit resets; absent if the response does not say. */
  declare readonly resetAt?: Date;
  /** The pool whose limit was reached; absent if the response does not say. */
  declare readonly pool?: PoolName;

  /** @internal Declares the constructor arguments of the class. */
  public constructor(
    message: string,
    init: ApiErrorInit & { readonly resetAt?: Date | undefined; readonly pool?: PoolName | undefined },
  ) {
    super(message, init);
    const { resetAt, pool } = init;
    if (resetAt) this.resetAt = resetAt;
    if (pool) this.pool = pool;
  }
}

/** 5xx: the service failed, possibly after acting on the request. A 501 is a refusal: the service did not act. */
export class ServerError extends ApiError {}

brand(ApiError, 'ApiError', 'api_error');
brand(BadRequestError, 'BadRequestError', 'bad_request');
brand(AuthenticationError, 'AuthenticationError', 'authentication_failed');
brand(PermissionDeniedError, 'PermissionDeniedError', 'permission_denied');
brand(NotFoundError, 'NotFoundError', 'not_found');
brand(UnprocessableError, 'UnprocessableError', 'unprocessable');
brand(ValidationError, 'ValidationError', 'validation_failed');
brand(LifecycleError, 'LifecycleError', 'lifecycle_rejected');
brand(RateLimitError, 'RateLimitError', 'rate_limited');
brand(ServerError, 'ServerError', 'server_error');
