import type { EmailPlatformError } from '../core/error-base.ts';
import type { Inside } from '../client/inside.ts';

/** Whatever a response contains, a browser shows it as nothing but data, and keeps none of it. */
const SAFE = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};
const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Headers of the service that a client reads. `Date`, because the reset of a limit is a time by the service's clock. */
const PASSED = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'x-request-id',
  'date',
];

/** Those of the named headers that there are. */
export function chosen(headers: Headers, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) found[name] = value;
  }
  return found;
}

function response(
  status: number,
  body: string | Uint8Array<ArrayBuffer> | null,
  type: string,
  more: Readonly<Record<string, string>> = {},
): Response {
  const isEmpty = body === null || body.length === 0;
  const headers = { ...SAFE, ...(!isEmpty && { 'content-type': type }), ...more };
  return new Response(isEmpty ? null : body, { status, headers });
}

/** A response of the proxy's own. It does not say why: that is told to the server. */
export const ownResponse = (status: number, retryAfterMs?: number): Response =>
  response(
    status,
    '{"errors":["Not passed on"]}',
    JSON_TYPE,
    retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) },
  );

/** A field of an address with a query, which may be a signature: `"raw_message_url":"https://…?…"`. */
const ADDRESS = /"(\w*url)"(\s*:\s*)"(https?:[^"?\\]*(?:\\.[^"?\\]*)*)(\?(?:[^"\\]|\\.)*)?"/g;
const PAGES = /^(first|prev|current|next)_url$/;

/**
 * JSON without what a visitor could use outside the proxy, or learn about the service from: signed URLs become null, and
 * the addresses of a list's pages those at the proxy, `here`.
 */
function withoutAddresses(json: string, { origin, pathname }: URL, keepsSigned: boolean): string {
  const here = JSON.stringify(origin + pathname).slice(0, -1);
  return json.replace(ADDRESS, (whole, name: string, colon: string, _, query = '') => {
    if (PAGES.test(name)) return `"${name}"${colon}${here}${query}"`;
    const isSigned = name === 'raw_message_url' || (query !== '' && name !== 'click_url');
    return isSigned && !keepsSigned ? `"${name}"${colon}null` : whole;
  });
}

/** The body of a response; undefined if a deletion was found to have succeeded, although its response was lost. */
export type Passed = string | Uint8Array<ArrayBuffer> | undefined;

/** The service's response, passed on. Throws if it contains the token: a gateway may repeat what it was sent. */
export function passedOn(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: Passed,
  here: URL,
  keepsSigned: boolean,
  hasToken: Inside['hasToken'],
): Response {
  if (body === undefined) return response(204, null, '');
  // Bytes are not searched for the token, and nor are the headers beside them.
  if (typeof body !== 'string')
    return response(status, body, 'application/octet-stream', { 'content-disposition': 'attachment' });
  const passed = chosen(headers, PASSED);
  if ([body, ...Object.values(passed)].some(hasToken)) throw new Error('The response contains the token.');
  const isJson = /\bjson\b/i.test(headers.get('content-type') ?? '');
  const text = isJson && body.includes('url"') ? withoutAddresses(body, here, keepsSigned) : body;
  return response(status, text, isJson ? JSON_TYPE : TEXT_TYPE, passed);
}

/** The service's refusal, as the client read it. */
type Refusal = Partial<Pick<Response, 'status' | 'headers'>> & { readonly body?: unknown };

/** The failure of a call as a response, from which the browser's client makes the same error. */
export function failureOf(error: Partial<EmailPlatformError>): Response {
  const { status = 0, headers, body } = error as Refusal;
  // A redirect is not passed on: it would lead the browser away.
  if (status >= 400 && headers !== undefined) {
    return typeof body === 'string'
      ? response(status, body, TEXT_TYPE, chosen(headers, PASSED))
      : response(status, JSON.stringify(body ?? null), JSON_TYPE, chosen(headers, PASSED));
  }
  const { code, effect } = error;
  if (code === undefined || code === 'configuration' || code === 'invalid_request') return ownResponse(500);
  return ownResponse(effect === 'none' ? 503 : code === 'timeout' ? 504 : 502);
}
