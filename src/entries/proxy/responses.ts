import { effectOfStatus } from '../../core/effect.ts';
import { isNestedTooDeeply, parseJson } from '../../core/json.ts';
import type { EmailPlatformError } from '../../core/error-base.ts';
import type { TokenSearch } from '../../core/request.ts';
import { forPage, hostCutter, type AddressView } from './addresses.ts';

/** Makes a browser treat every response as plain data, and cache none. */
const SAFE = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};
const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * Headers of the service that a client reads. `Date` is one of them, because the reset of a limit is a time by the
 * service's clock.
 */
const PASSED = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'x-request-id',
  'date',
];

/** Picks the named headers that are present. */
export function chosen(headers: Headers, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) picked[name] = value;
  }
  return picked;
}

function response(
  status: number,
  body: string | ReadableStream<Uint8Array> | null,
  type: string,
  more: Readonly<Record<string, string>> = {},
): Response {
  const isEmpty = body === null || body === '';
  const headers = { ...SAFE, ...(!isEmpty && { 'content-type': type }), ...more };
  return new Response(isEmpty ? null : body, { status, headers });
}

/** A response of the proxy itself. It has no reason: the reason goes to the server. */
export const ownResponse = (status: number, retryAfterMs?: number): Response =>
  response(
    status,
    '{"errors":["Not passed on"]}',
    JSON_TYPE,
    retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
  );

/** A response without content. */
export const emptyResponse = (status: number): Response => response(status, null, '');

/** The data that rewrites a response of the service for a page. */
export interface PageView extends AddressView {
  readonly tokens: TokenSearch;
}

/**
 * Forwards a response of the service. Writes JSON anew from its parsed value, so that the page gets only checked
 * content. Throws if the token is in it: a gateway may repeat the request.
 */
export function passedOn(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
  view: PageView,
): Response {
  if (isNestedTooDeeply(body)) throw new Error('The response is nested too deeply.');
  const withoutHosts = hostCutter(view);
  const value = parseJson(body);
  const text = value === undefined ? withoutHosts(body) : JSON.stringify(forPage(value, view, withoutHosts));
  const passed = Object.fromEntries(
    Object.entries(chosen(headers, PASSED)).map(([name, header]) => [name, withoutHosts(header)]),
  );
  if ([text, ...Object.values(passed)].some((part) => view.tokens.areIn(part)))
    throw new Error('The response contains the token.');
  const isJson = /\bjson\b/i.test(headers.get('content-type') ?? '');
  return response(status, text, isJson ? JSON_TYPE : TEXT_TYPE, passed);
}

/** Forwards a file unchanged, without its headers, which a page does not need. */
export const passedFile = (status: number, file: ReadableStream<Uint8Array> | null): Response =>
  response(status, file, 'application/octet-stream', { 'content-disposition': 'attachment' });

/** An error response of the service, as the client read it. */
type Refusal = Partial<Pick<Response, 'status' | 'headers'>> & { readonly body?: unknown };

/**
 * Forwards an error response of the service, so that the page's client throws the same error. Undefined if the call
 * failed without a response, or if the response alone would hide that the service may have acted.
 */
export function refusalOf(error: Partial<EmailPlatformError>, view: PageView): Response | undefined {
  const { status = 0, headers, body = null } = error as Refusal;
  const saysLess = error.effect === 'unknown' && effectOfStatus(status) === 'none';
  // Does not forward a redirect: it would lead the browser away.
  if (headers === undefined || status < 400 || status > 599 || saysLess) return undefined;
  const isText = typeof body === 'string';
  const head = new Headers(headers);
  head.set('content-type', isText ? TEXT_TYPE : JSON_TYPE);
  return passedOn({ status, headers: head }, isText ? body : JSON.stringify(body), view);
}

/** The status that tells a page how a call failed without a response of the service. */
export function statusOf({ code, effect }: Partial<EmailPlatformError>): 403 | 500 | 502 | 503 | 504 {
  if (code === 'recipient_refused') return 403;
  if (code === 'configuration' || code === 'invalid_request') return 500;
  if (effect === 'none') return 503;
  return code === 'timeout' ? 504 : 502;
}
