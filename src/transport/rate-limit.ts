/**
 * The rate limit in responses, and everything about a 429: the wait in its headers, the pool to close, and the wait of
 * the call.
 */
import type { RateLimitError } from '../core/api-errors.ts';
import type { RateLimitInfo } from '../core/api-promise.ts';
import type { AccountPoolName, PoolName } from '../core/limits.ts';
import { momentOf } from '../core/moment.ts';
import { MAX_BELIEVED_WAIT_MS, type Runtime } from '../core/runtime.ts';
import { PUBLISHED_LIMITS } from '../throttle/limits.ts';
import type { ThrottleKey } from '../throttle/permit.ts';
import type { LimitCount } from '../throttle/permit-window.ts';
import type { Throttle } from '../throttle/throttle.ts';
import { backoffMs, MIN_STATED_WAIT_MS, type RetryLimits } from './retry-policy.ts';

/** The limits and the waits in a response, independent of the local clock where possible. */
export interface RateLimitHeaders extends RateLimitInfo {
  /** Milliseconds from the response to the reset; 0 if that has passed. */
  readonly resetAfterMs?: number;
  /** `Retry-After`, in milliseconds from the response; negative if that has passed. */
  readonly retryAfterMs?: number;
}

/**
 * Reads the rate limit headers. A moment may be a date and time (ISO 8601, HTTP date, seconds or milliseconds since
 * 1970) or seconds from now. Waits are measured from the response's own `Date`, so that a wrong local clock does no
 * harm; `wallNow` is used if there is none. A header that cannot be read counts as absent.
 */
export function readRateLimitHeaders(headers: Headers, wallNow: () => number): RateLimitHeaders {
  const answeredAt = readMoment(headers.get('date')) ?? wallNow();
  const resetAt = readMoment(headers.get('x-ratelimit-reset'), answeredAt);
  const retryAt = readMoment(headers.get('retry-after'), answeredAt);
  return {
    ...readCounts(headers),
    ...(resetAt !== undefined && {
      resetAt: new Date(resetAt),
      resetAfterMs: Math.max(0, resetAt - answeredAt),
    }),
    ...(retryAt !== undefined && { retryAfterMs: retryAt - answeredAt }),
  };
}

/** Reads only the two counts, because every response needs them. In a list, the first number counts. */
export function readCounts(headers: Headers): Pick<RateLimitInfo, 'limit' | 'remaining'> {
  const counts: { limit?: number; remaining?: number } = {};
  for (const name of ['limit', 'remaining'] as const) {
    const [, digits] = /^(\d+) *(?:[,;]|$)/.exec(headers.get(`x-ratelimit-${name}`) ?? '') ?? [];
    if (digits !== undefined) counts[name] = Number(digits);
  }
  return counts;
}

/** Reads the counts and the `Date` of a response, for the throttle. */
export function readForThrottle(headers: Headers): LimitCount {
  return { date: readMoment(headers.get('date')), ...readCounts(headers) };
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
  // Checked first, because `Date.parse` finds a date in nearly every text with a number.
  return /^[a-z]+,? .*:\d\d/i.test(text) ? Date.parse(text.replace(/( GMT)?$/, ' GMT')) : momentOf(text);
}

/** The facts in a 429: the reset, the wait, and the pool that refused. */
export interface StatedLimit {
  readonly resetAt: Date | undefined;
  readonly retryAfterMs: number | undefined;
  readonly pool: PoolName;
}

/** Reads a 429. `pool` is the request's account pool; undefined if it counts only against the token. */
export function statedLimit(
  headers: Headers,
  text: string,
  pool: AccountPoolName | undefined,
  wallNow: () => number,
): StatedLimit {
  const { resetAt, resetAfterMs, retryAfterMs } = readRateLimitHeaders(headers, wallNow);
  // The other header may be credible even if the reset is not.
  const isBelieved = resetAfterMs !== undefined && resetAfterMs <= MAX_BELIEVED_WAIT_MS;
  // Headers say nothing about account pools; only the token pool says "Throttled" or counts down to 0.
  const isToken = headers.get('x-ratelimit-remaining') === '0' || text.includes('Throttled');
  return {
    resetAt,
    retryAfterMs: isBelieved || retryAfterMs === undefined ? resetAfterMs : Math.max(0, retryAfterMs),
    pool: isToken ? 'token' : (pool ?? 'token'),
  };
}

/** The facts of an attempt's call that determine the wait after a 429. */
export interface RefusedCall {
  /** Responses with 429 so far, not counting this one. */
  readonly refusals: number;
  /** Milliseconds left before the call's deadline. */
  readonly remainingMs: number;
  readonly config: { readonly runtime: Pick<Runtime, 'random'> };
}

/**
 * Milliseconds to wait after a 429: the stated wait, or else one window of the refused pool and a little more. If the
 * service refuses again after the stated wait, other clients probably wait for the same reset, so the retries are
 * spread. The added time must not make the call fail.
 */
export function refusalWait(
  statedMs: number | undefined,
  windowMs: number,
  call: RefusedCall,
  { maxWaitMs }: RetryLimits,
): number {
  const { refusals, remainingMs, config } = call;
  const { random } = config.runtime;
  const oneWindowMs = Math.min(MAX_BELIEVED_WAIT_MS, windowMs * (1 + 0.1 * random()));
  const isBelieved = statedMs !== undefined && statedMs <= MAX_BELIEVED_WAIT_MS;
  const askedMs = isBelieved ? Math.max(MIN_STATED_WAIT_MS, statedMs) : oneWindowMs;
  const apartMs = refusals === 0 ? 0 : backoffMs(refusals - 1, random);
  const addedMs = Math.min(apartMs, maxWaitMs - askedMs, (remainingMs - askedMs) / 2);
  return Math.ceil(askedMs + Math.max(0, addedMs));
}

/** The consequence of a 429. */
export interface Refusal {
  /** Milliseconds that the call has to wait. */
  readonly waitMs: number;
  /** Whether the throttle closes the pool for this time: the retry then waits in its queue. */
  readonly isClosed: boolean;
  /** Whether the throttle relied on aligned windows of the pool until now, and no longer does. */
  readonly givesUpWindows: boolean;
}

/** An attempt that may have been refused. */
interface RefusedAttempt {
  readonly call: RefusedCall & { readonly config: { readonly throttle: Throttle | undefined } };
  readonly request: { readonly key: ThrottleKey; readonly retry: RetryLimits };
}

/** Decides on the wait after a 429, once, and closes the refused pool for this time. */
export function closeRefused({ call, request }: RefusedAttempt, error: RateLimitError): Refusal {
  const { pool = 'token', retryAfterMs } = error;
  const { throttle } = call.config;
  const { key, retry } = request;
  const { perMs } = throttle?.limitOf(pool) ?? PUBLISHED_LIMITS[pool];
  const waitMs = refusalWait(retryAfterMs, perMs, call, retry);
  const closing = throttle?.block(key, pool, waitMs) ?? { isClosed: false, givesUpWindows: false };
  return { waitMs, ...closing };
}
