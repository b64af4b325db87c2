import type { ResponseInfo } from '../core/api-promise.ts';
import type { RateLimitInfo } from '../core/api-promise.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import type { ResponseHead } from '../call/stage.ts';

/** The rate limit, as a response's headers state it. */
export function readRateLimit(headers: Headers): RateLimitInfo {
  const { resetAfterMs, retryAfterMs, ...info } = readRateLimitHeaders(headers, Date.now);
  return Object.freeze(info);
}

/** What `withResponse()` returns about the response. */
export function responseInfo({ status, headers }: ResponseHead): ResponseInfo {
  return {
    status,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit: readRateLimit(headers),
  };
}
