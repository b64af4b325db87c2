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
import { readErrorBody, type ErrorBody } from './error-body.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import type { Attempt } from './attempt.ts';
import { MAX_BELIEVED_WAIT_MS } from '../core/clock.ts';
import type { ResponseHead } from './stage.ts';

const CLASSES: Readonly<Partial<Record<number, typeof ApiError>>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  422: UnprocessableError,
};

function classOf(status: number, { body, messages }: ErrorBody): typeof ApiError {
  if (status >= 500) return ServerError;
  const { errors } = Object(body) as { readonly errors?: unknown };
  // One or more sentences mean that an action is not allowed now.
  const isSentences = messages.length > 0 && [errors].flat().every((each) => typeof each === 'string');
  return status === 422 && isSentences ? LifecycleError : (CLASSES[status] ?? ApiError);
}

/** The service's message names the token only, whichever of the two is wrong. */
const UNVERIFIED = '; the token may be wrong, or the domain of the sender (`from`) not verified';

/** The error for a response that is not 2xx, or whose body is a refusal; `effect` is then what the body tells. */
export async function responseError(
  attempt: Attempt,
  response: ResponseHead,
  text = '',
  effect = effectOfStatus(response.status),
): Promise<ApiError> {
  const { config, request } = attempt.call;
  const { operation, host, signedUrl, result, pool = 'token' } = request;
  const { status } = response;
  const redaction = await attempt.redaction();
  const headers = redaction.headers(response.headers);
  const { fieldErrors, ...parsed } = readErrorBody(text, redaction);
  const { resetAt, resetAfterMs, retryAfterMs } = readRateLimitHeaders(headers, config.runtime.wallNow);
  const init: ApiErrorInit = { ...parsed, status, headers, effect, retryAfterMs };
  // Never followed, as the token would go with it. In a browser it has the status 0.
  if (status < 200 || (status >= 300 && status < 400)) {
    const address = signedUrl === undefined ? `hosts.${host}` : 'the address';
    const message = `${operation} returned a redirect (${status}), which is not followed; check ${address}`;
    return new ApiError(message, { ...init, messages: [], code: 'redirect_refused' });
  }
  const said = parsed.messages.join('; ') || `the body has no message; ${contentType(headers)}`;
  const advice = status === 401 && (host === 'send' || host === 'bulk') ? UNVERIFIED : '';
  const message = `${operation} failed with ${status}: ${said}${advice}`;
  if (status === 422 && fieldErrors) return new ValidationError(message, { ...init, fieldErrors });
  const kind = result.kind === 'body' && result.absent === status ? 404 : status;
  if (status !== 429) return new (classOf(kind, parsed))(message, init);
  // If the reset is not credible, the other header may still be.
  const isBelieved = resetAfterMs !== undefined && resetAfterMs <= MAX_BELIEVED_WAIT_MS;
  const waitMs = isBelieved ? resetAfterMs : (retryAfterMs ?? resetAfterMs);
  // Headers say nothing about account pools; only the token pool says "Throttled" or counts down to 0.
  const isToken = headers.get('x-ratelimit-remaining') === '0' || text.includes('Throttled');
  return new RateLimitError(waitMs === undefined ? message : `${message}; retry after ${waitMs} ms`, {
    ...init,
    resetAt,
    retryAfterMs: waitMs,
    pool: isToken ? 'token' : pool,
  });
}

/** For messages. */
export const contentType = (headers: Headers): string => headers.get('content-type') ?? 'no content type';
