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
import { effectOfStatus } from '../core/effect.ts';
import type { PoolName } from '../core/limits.ts';
import { readErrorBody, type ErrorBody } from './error-body.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import type { Attempt } from '../call/attempt.ts';
import { MAX_BELIEVED_WAIT_MS } from '../core/clock.ts';
import type { ResponseHead } from '../call/stage.ts';

/** Whether this is a redirect: a 3xx, or an opaque one in a browser. Never followed, as the token would go with it. */
const isRedirect = (response: ResponseHead) =>
  response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);

const CLASSES: Readonly<Partial<Record<number, typeof ApiError>>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
};

/** The service's message names the token only, whichever of the two is wrong. */
const UNVERIFIED = '; the token may be wrong, or the domain of the sender (`from`) not verified';

/** The error for a response that is not 2xx, or whose body is a refusal; `effect` is then what the body tells. */
export async function responseError(
  attempt: Attempt,
  response: ResponseHead,
  text: string | undefined,
  wallNow: () => number,
  effect = effectOfStatus(response.status),
): Promise<ApiError> {
  const { operation, host, signedUrl, result } = attempt.call.request;
  const { status } = response;
  const redaction = await attempt.redaction();
  const headers = redaction.headers(response.headers);
  const { fieldErrors, ...parsed } = readErrorBody(text ?? '', redaction);
  if (isRedirect(response)) {
    const address = signedUrl === undefined ? `hosts.${host}` : 'the address';
    const message = `${operation} returned a redirect (${status}), which is not followed; check ${address}`;
    const code = 'redirect_refused';
    return new ApiError(message, { status, headers, body: parsed.body, messages: [], code });
  }
  const init: ApiErrorInit = { status, headers, ...parsed, effect };
  const said = parsed.messages.join('; ') || unreadable(text, parsed.body, headers);
  const advice = status === 401 && (host === 'send' || host === 'bulk') ? UNVERIFIED : '';
  const message = `${operation} failed with ${status}: ${said}${advice}`;
  if (status === 422) return unprocessable(message, init, fieldErrors);
  const kind = result.kind === 'body' && result.absent === status ? 404 : status;
  if (status !== 429) return new (kind >= 500 ? ServerError : (CLASSES[kind] ?? ApiError))(message, init);
  const { resetAt, resetAfterMs, retryAfterMs } = readRateLimitHeaders(headers, wallNow);
  // If the reset is not credible, the other header may still be.
  const isBelieved = resetAfterMs !== undefined && resetAfterMs <= MAX_BELIEVED_WAIT_MS;
  const waitMs = isBelieved ? resetAfterMs : (retryAfterMs ?? resetAfterMs);
  return new RateLimitError(waitMs === undefined ? message : `${message}; retry after ${waitMs} ms`, {
    ...init,
    resetAt,
    retryAfterMs: waitMs,
    pool: refusedPool(attempt, headers, text),
  });
}

/** A map of messages by field is a failed validation; one or more sentences mean that an action is not allowed now. */
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

/** Headers say nothing about account pools; only the token pool says "Throttled" or counts down to 0. */
function refusedPool({ call }: Attempt, headers: Headers, text = ''): PoolName {
  if (call.request.pool === undefined || headers.get('x-ratelimit-remaining') === '0') return 'token';
  return text.includes('Throttled') ? 'token' : call.request.pool;
}

function unreadable(text: string | undefined, body: unknown, headers: Headers): string {
  if (text === undefined) return 'the response body could not be read';
  if (text === '') return 'the response body is empty';
  if (typeof body !== 'string') return 'the response body contains no message';
  const type = headers.get('content-type') ?? 'no content type';
  return `the response body is not JSON (${type}, ${text.length} characters)`;
}
