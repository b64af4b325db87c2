import type { RateLimitInfo } from '../core/api-promise.ts';
import { momentOf } from '../core/moment.ts';

/** What a response says about limits, and how long to wait, independent of the local clock where possible. */
export interface RateLimitHeaders extends RateLimitInfo {
  /** Milliseconds from the response to the reset; 0 if that has passed. */
  readonly resetAfterMs?: number;
  /** `Retry-After`, in milliseconds from the response. */
  readonly retryAfterMs?: number;
}

/**
 * Reads the rate limit headers. A moment may be a date and time (ISO 8601, HTTP date, seconds or milliseconds since
 * 1970) or seconds from now. Waits are measured from the response's own `Date`, so that a wrong local clock does no
 * harm; `wallNow` is used if there is none. Whatever cannot be read is absent.
 */
export function readRateLimitHeaders(headers: Headers, wallNow: () => number): RateLimitHeaders {
  const answeredAt = readMoment(headers.get('date')) ?? wallNow();
  const resetAt = readMoment(headers.get('x-ratelimit-reset'), answeredAt);
  const retryAt = readMoment(headers.get('retry-after'), answeredAt);
  const msUntil = (moment: number) => Math.max(0, moment - answeredAt);
  return {
    ...readCounts(headers),
    ...(resetAt !== undefined && { resetAt: new Date(resetAt), resetAfterMs: msUntil(resetAt) }),
    ...(retryAt !== undefined && { retryAfterMs: msUntil(retryAt) }),
  };
}

/** Reads only the two counts, which is all that most responses are asked for. Of a list, the first number counts. */
export function readCounts(headers: Headers): Pick<RateLimitInfo, 'limit' | 'remaining'> {
  const counts: { limit?: number; remaining?: number } = {};
  for (const name of ['limit', 'remaining'] as const) {
    const [, digits] = /^(\d+) *(?:[,;]|$)/.exec(headers.get(`x-ratelimit-${name}`) ?? '') ?? [];
    if (digits !== undefined) counts[name] = Number(digits);
  }
  return counts;
}

/** Numbers below this are seconds from now: as seconds since 1970, even this one would be in 2001. */
const FIRST_EPOCH_SECONDS = 1e9;
/** Numbers from this on are milliseconds since 1970: this one is in 1973, and as seconds would be in the year 5138. */
const FIRST_EPOCH_MS = 1e11;
/** The latest time that a Date can represent. */
const LAST_MOMENT = 8.64e15;

/** In milliseconds since 1970. */
function readMoment(text: string | null, answeredAt = NaN): number | undefined {
  const moment = text === null ? NaN : parse(text, answeredAt);
  return Math.abs(moment) <= LAST_MOMENT ? moment : undefined;
}

function parse(text: string, answeredAt: number): number {
  if (/^\d+(\.\d+)?$/.test(text)) {
    const value = Number(text);
    if (value >= FIRST_EPOCH_MS) return value;
    return (value >= FIRST_EPOCH_SECONDS ? 0 : answeredAt) + value * 1000;
  }
  // Checked first, because Date.parse finds a date in nearly any text that contains a number.
  return /^[a-z]+,? .*:\d\d/i.test(text) ? Date.parse(text.replace(/( GMT)?$/, ' GMT')) : momentOf(text);
}
