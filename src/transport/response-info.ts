import type { ResponseInfo } from '../core/api-promise.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import type { ResponseHead } from './stage.ts';

/** What `withResponse()` returns about the response. */
export function responseInfo({ status, headers }: ResponseHead): ResponseInfo {
  const { resetAfterMs, retryAfterMs, ...rateLimit } = readRateLimitHeaders(headers, Date.now);
  const requestId = headers.get('x-request-id') ?? undefined;
  return { status, headers, requestId, rateLimit: Object.freeze(rateLimit) };
}
