import type { ResponseInfo } from '../core/api-promise.ts';
import type { RateLimitInfo } from '../core/api-promise.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import type { ResponseHead } from '../call/stage.ts';

/** The rate limit, as a response's headers state it. */
export function readRateLimit(headers: Headers): RateLimitInfo {
  const { limit, remaining, resetAt } = readRateLimitHeaders(headers, Date.now);
  return Object.freeze({
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(resetAt !== undefined && { resetAt }),
  });
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
