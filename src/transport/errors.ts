/** The errors of a call: of a response that refuses or fails, and of a broken connection. */
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
import { EmailPlatformError } from '../core/error-base.ts';
import { printable } from '../core/error-text.ts';
import { ConnectionError } from '../core/errors.ts';
import { jsonOf } from '../kit/json-of.ts';
import type { AccountPoolName } from '../core/limits.ts';
import { fieldOf, isRecord } from '../core/record.ts';
import type { RequestSpec } from '../core/request.ts';
import { tried } from '../core/tried.ts';
import { CAUSE_HEADER } from '../kit/cause-header.ts';
import { readRateLimitHeaders, statedLimit } from './rate-limit.ts';
import type { Redaction } from './redaction.ts';
import { contentType, type ResponseHead } from './response.ts';
import { diagnose } from './runtimes/failures.ts';
import { isRedirect } from './runtimes/foreign-response.ts';

const CLASSES: Readonly<Partial<Record<number, typeof ApiError>>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  422: UnprocessableError,
};

function classOf(status: number, { body, messages }: ErrorBody): typeof ApiError {
  if (status >= 500) return ServerError;
  // The service writes one or more sentences if the state of a resource forbids the action.
  const isSentences =
    messages.length > 0 && [fieldOf(body, 'errors')].flat().every((each) => typeof each === 'string');
  return status === 422 && isSentences ? LifecycleError : (CLASSES[status] ?? ApiError);
}

/** The service's message names only the token, even if the sender's domain is the cause. */
const UNVERIFIED = 'the token may be wrong, or the domain of the sender (`from`) not verified';

/** The request that a response refuses. */
interface RefusedRequest extends Pick<RequestSpec<unknown>, 'operation' | 'host' | 'decoder'> {
  readonly signedUrl: string | undefined;
  readonly pool: AccountPoolName | undefined;
}

/** The redaction and the clock for reading an error. */
interface Reading {
  readonly redaction: Redaction;
  /** The likely mistake in the request's token, for the message of a 401. */
  readonly tokenAdvice?: string | undefined;
  readonly wallNow: () => number;
}

/** The error of a response that is not 2xx, or of a 2xx whose body refuses; `effect` is then the body's. */
export function responseError(
  request: RefusedRequest,
  { redaction, wallNow, tokenAdvice }: Reading,
  response: ResponseHead,
  text = '',
  effect = effectOfStatus(response.status),
): ApiError {
  const { operation, host, signedUrl, decoder, pool } = request;
  const { status } = response;
  const headers = redaction.headers(response.headers);
  const { fieldErrors, ...parsed } = readErrorBody(text, redaction);
  const { retryAfterMs = -1 } = readRateLimitHeaders(headers, wallNow);
  const stated = retryAfterMs < 0 ? undefined : retryAfterMs;
  const init: ApiErrorInit = { ...parsed, status, headers, effect, retryAfterMs: stated };
  // A redirect is never followed, because the token would go with it.
  if (isRedirect(status)) {
    const address = signedUrl === undefined ? `hosts.${host}` : 'the address';
    const message = `${operation} returned a redirect (${status}), which is not followed; check ${address}`;
    return new ApiError(message, { ...init, messages: [], code: 'redirect_refused' });
  }
  const detail = parsed.messages.join('; ') || `the body has no message; ${contentType(headers)}`;
  const unverified = host === 'send' || host === 'bulk' ? UNVERIFIED : undefined;
  // An emulator tells the cause. Otherwise the likeliest is a token that looks like another value.
  const told = headers.get(CAUSE_HEADER);
  const cause = told === null ? undefined : tried(() => decodeURI(told));
  const advice = cause ?? (status === 401 ? (tokenAdvice ?? unverified) : undefined);
  const why = advice === undefined ? '' : `; ${advice}`;
  const message = printable(`${operation} failed with ${status}: ${detail}${why}`);
  if (status === 422 && fieldErrors) return new ValidationError(message, { ...init, fieldErrors });
  const kind = decoder.kind === 'body' && decoder.absent === status ? 404 : status;
  if (status !== 429) return new (classOf(kind, parsed))(message, init);
  const limit = statedLimit(headers, text, pool, wallNow);
  const { retryAfterMs: waitMs } = limit;
  const advised = waitMs === undefined ? message : `${message}; retry after ${waitMs} ms`;
  return new RateLimitError(advised, { ...init, ...limit });
}

/**
 * The error for a failure of `fetch` or of reading the body. Returns an error of this package unchanged. `neverLeft` is
 * the proof that no byte of the request was asked for.
 */
export function failureOf(
  operation: string,
  error: unknown,
  redaction: Redaction,
  neverLeft = false,
): EmailPlatformError {
  if (error instanceof EmailPlatformError) return error;
  const diagnosis = diagnose(error);
  const { by } = diagnosis;
  const effect = neverLeft ? 'none' : diagnosis.effect;
  const phase = neverLeft && diagnosis.phase === 'exchange' ? 'connect' : diagnosis.phase;
  const cause = redaction.error(error);
  const why = by === 'proxy' ? ', because a proxy on the way refused it' : '';
  const what = effect === 'none' ? `no connection could be made${why}` : 'the request failed';
  let inner: Error & { readonly code?: string | number } = cause;
  while (inner.cause instanceof Error) inner = inner.cause;
  const detail = inner.message || (inner.code ?? 'no message');
  return new ConnectionError(printable(`${operation}: ${what} (${detail})`), { phase, effect, cause });
}

/** The readable parts of an error response's body. */
interface ErrorBody {
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;
  /** All messages in the body, in their order. */
  readonly messages: readonly string[];
  /** Messages by field, if the body has such a map. */
  readonly fieldErrors?: Record<string, string[]>;
}

/** The messages in a text, in the items of a list, or in an object under a known name. */
function messagesOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(messagesOf);
  if (!isRecord(value)) return [];
  const fields = fieldsOf(value);
  if (fields) {
    return Object.entries(fields).flatMap(([field, messages]) =>
      messages.map((text) => (field === 'base' ? text : `${field} ${text}`)),
    );
  }
  // The sending hosts may repeat a message under both names.
  const messages = [...new Set(messagesOf([fieldOf(value, 'error'), fieldOf(value, 'errors')]))];
  return messages.length > 0 ? messages : messagesOf(fieldOf(value, 'message'));
}

/** Whether an object maps fields to lists of messages. An `error` may also be an object that holds one message. */
const hasLists = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(Array.isArray);

/** The messages by field: under `errors`, or as lists under `error`. */
function fieldsOf(body: Record<string, unknown>): Record<string, string[]> | undefined {
  const error = fieldOf(body, 'error');
  const errors = fieldOf(body, 'errors');
  const maps = [hasLists(error) && error, isRecord(errors) && errors].filter((map) => map !== false);
  if (maps.length === 0) return undefined;
  // A map: an object cannot have a field `__proto__`.
  const fields = new Map<string, string[]>();
  for (const [field, value] of maps.flatMap((map) => Object.entries(map)))
    fields.set(field, [...(fields.get(field) ?? []), ...messagesOf(value)]);
  return Object.fromEntries(fields);
}

/**
 * Reads every known shape of error body, including empty ones and HTML. Redacts after parsing, because an escape in the
 * JSON may hide a token.
 */
function readErrorBody(text: string, redaction: Redaction): ErrorBody {
  const json = jsonOf(text);
  const body = redaction.value(json === undefined ? text : json);
  // An HTML page comes from a proxy or a web framework and has no message.
  if (typeof body === 'string')
    return { body, messages: /^\s*</.test(body) ? [] : messagesOf(body.trim().slice(0, 500)) };
  if (!isRecord(body)) return { body, messages: [] };
  const fieldErrors = fieldsOf(body);
  return { body, messages: messagesOf(body), ...(fieldErrors && { fieldErrors }) };
}
