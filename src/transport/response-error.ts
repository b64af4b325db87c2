import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  LifecycleError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableError,
  ValidationError,
  type ApiErrorInit,
} from '../core/api-errors.ts';
import type { PoolName } from '../core/throttle.ts';
import { readErrorBody, type ErrorBody } from './error-body.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import { scrub, scrubHeaders } from './redact.ts';
import type { Attempt } from './attempt.ts';
import { MAX_BELIEVED_WAIT_MS } from './retry-policy.ts';
import type { ResponseHead } from './stage.ts';

/** A redirect: a 3xx, or what a browser makes of one. Never followed: the token would travel with it. */
const isRedirect = (response: ResponseHead) =>
  response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);

/** The error for a response that is not 2xx. */
export function responseError(
  attempt: Attempt,
  response: ResponseHead,
  answered: string | undefined,
  wallNow: () => number,
): ApiError {
  const { operation, host, signedUrl } = attempt.call.request;
  const { status } = response;
  // A gateway may echo what it was sent: no error holds the token.
  const secret = attempt.auth?.secret;
  const headers = scrubHeaders(response.headers, secret);
  const text = answered === undefined ? undefined : scrub(answered, secret);
  if (isRedirect(response)) {
    const address = signedUrl === undefined ? `hosts.${host}` : 'the address';
    const message = `${operation} was answered with a redirect (${status}), which is not followed; check ${address}`;
    return new ApiError(message, {
      status,
      headers,
      body: text ?? '',
      messages: [],
      code: 'redirect_refused',
    });
  }
  const { fieldErrors, ...parsed } = readErrorBody(text ?? '');
  // A 2xx that says it refused did nothing.
  const init: ApiErrorInit = { status, headers, ...parsed, ...(status < 300 && { effect: 'none' }) };
  const said =
    parsed.messages.length > 0 ? parsed.messages.join('; ') : unreadable(text, parsed.body, headers);
  const message = `${operation} failed with ${status}: ${said}`;
  if (status >= 500) return new ServerError(message, init);
  switch (status) {
    case 400:
      return new BadRequestError(message, init);
    case 401:
      return new AuthenticationError(message, init);
    case 403:
      return new PermissionDeniedError(message, init);
    case 404:
      return new NotFoundError(message, init);
    case 422:
      return unprocessable(message, init, fieldErrors);
    case 429: {
      const { resetAt, resetAfterMs, retryAfterMs } = readRateLimitHeaders(headers, wallNow);
      // A reset that cannot be believed is no reason to overlook the other header.
      const isBelieved = resetAfterMs !== undefined && resetAfterMs <= MAX_BELIEVED_WAIT_MS;
      const waitMs = isBelieved ? resetAfterMs : (retryAfterMs ?? resetAfterMs);
      return new RateLimitError(waitMs === undefined ? message : `${message}; retry after ${waitMs} ms`, {
        ...init,
        resetAt,
        retryAfterMs: waitMs,
        pool: refusedPool(attempt, headers, parsed.body),
      });
    }
    default:
      return new ApiError(message, init);
  }
}

/** A map of fields is a validation; a sentence, or several, an action that was not allowed. */
function unprocessable(
  message: string,
  init: ApiErrorInit,
  fieldErrors: ErrorBody['fieldErrors'],
): UnprocessableError {
  if (fieldErrors) return new ValidationError(message, { ...init, fieldErrors });
  const { body } = init;
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : undefined;
  const isSentences =
    typeof errors === 'string' || (Array.isArray(errors) && errors.every((e) => typeof e === 'string'));
  return isSentences && init.messages.length > 0
    ? new LifecycleError(message, init)
    : new UnprocessableError(message, init);
}

/** Account pools do not show in the headers; only the token's own bucket says "Throttled" or counts down to 0. */
function refusedPool({ call }: Attempt, headers: Headers, body: unknown): PoolName {
  if (call.request.pool === undefined || headers.get('x-ratelimit-remaining') === '0') return 'token';
  return JSON.stringify(body).includes('Throttled') ? 'token' : call.request.pool;
}

function unreadable(text: string | undefined, body: unknown, headers: Headers): string {
  if (text === undefined) return 'the response body could not be read';
  if (text === '') return 'the response body is empty';
  if (typeof body !== 'string') return 'the response body holds no message';
  return `the response body is not JSON (${headers.get('content-type') ?? 'no content type'}, ${text.length} characters)`;
}
