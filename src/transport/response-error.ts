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
import { readErrorBody, type ErrorBody } from './error-body.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import type { Attempt } from './attempt.ts';
import type { ResponseHead } from './stage.ts';

/** A redirect: a 3xx, or what a browser makes of one. Never followed: the token would travel with it. */
const isRedirect = (response: ResponseHead) =>
  response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);

/** The error for a response that is not 2xx. */
export function responseError(
  attempt: Attempt,
  response: ResponseHead,
  text: string | undefined,
  wallNow: () => number,
): ApiError {
  const { operation } = attempt.call.request;
  const { status, headers } = response;
  if (isRedirect(response)) {
    const message = `${operation}: the host answered with a redirect (${status}), which is never followed; is its address right?`;
    return new ApiError(message, {
      status,
      headers,
      body: text ?? '',
      messages: [],
      code: 'redirect_refused',
    });
  }
  const { fieldErrors, ...parsed } = readErrorBody(text ?? '');
  const init: ApiErrorInit = { status, headers, ...parsed };
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
      const waitMs = resetAfterMs ?? retryAfterMs;
      return new RateLimitError(
        waitMs === undefined ? message : `${message}; to be repeated in ${waitMs} ms`,
        {
          ...init,
          resetAt,
          retryAfterMs: waitMs,
          pool: refusedPool(attempt, headers, parsed.body),
        },
      );
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
function refusedPool({ call }: Attempt, headers: Headers, body: unknown): string {
  if (call.request.pool === undefined || headers.get('x-ratelimit-remaining') === '0') return 'token';
  return JSON.stringify(body).includes('Throttled') ? 'token' : call.request.pool;
}

function unreadable(text: string | undefined, body: unknown, headers: Headers): string {
  if (text === undefined) return 'the answer’s body could not be read';
  if (text === '') return 'the answer’s body is empty';
  if (typeof body !== 'string') return 'the answer’s body says nothing that could be read';
  return `the answer’s body is not JSON (${headers.get('content-type') ?? 'of no stated type'}, ${text.length} characters)`;
}
