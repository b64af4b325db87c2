import type { RateLimitInfo } from '../core/rate-limit-info.ts';

/** What a response says about limits, with waits that do not depend on the local clock. */
export interface RateLimitHeaders extends RateLimitInfo {
  /** Milliseconds from the response to the reset; 0 when that is past. */
  readonly resetAfterMs?: number;
  /** `Retry-After`, in milliseconds from the response. */
  readonly retryAfterMs?: number;
}

/**
 * Reads the rate limit headers. A reset may be a moment (ISO 8601, HTTP date, seconds or milliseconds since 1970) or
 * seconds from now; waits are counted from the response's own `Date`, so that a wrong local clock does no harm.
 * Whatever cannot be read is absent. `wallNow` stands in for a missing `Date`.
 */
export function readRateLimitHeaders(headers: Pick<Headers, 'get'>, wallNow: () => number): RateLimitHeaders {
  const { limit, remaining } = readCounts(headers);
  const answeredAt = parseMoment(headers.get('date')) ?? wallNow();
  const resetAt = parseReset(headers.get('x-ratelimit-reset'), answeredAt);
  const retryAt = parseRetryAfter(headers.get('retry-after'), answeredAt);
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(resetAt !== undefined && {
      resetAt: new Date(resetAt),
      resetAfterMs: Math.max(0, resetAt - answeredAt),
    }),
    ...(retryAt !== undefined && { retryAfterMs: Math.max(0, retryAt - answeredAt) }),
  };
}

/** Reads the two counts alone, which every response has. */
export function readCounts(headers: Pick<Headers, 'get'>): {
  limit: number | undefined;
  remaining: number | undefined;
} {
  return {
    limit: parseCount(headers.get('x-ratelimit-limit')),
    remaining: parseCount(headers.get('x-ratelimit-remaining')),
  };
}

/** Below this, a number of seconds counts from now; as a moment it would lie in 2001. */
const FIRST_EPOCH_SECONDS = 1e9;
/** From here on a number is in milliseconds: in seconds it would lie in the year 5138, in milliseconds it is 1973. */
const FIRST_EPOCH_MS = 1e11;
/** The last moment a Date can hold. */
const LAST_MOMENT = 8.64e15;

const COUNT = /^\s*(\d+)\s*(?:[,;]|$)/;
const DECIMAL = /^\s*\d+(?:\.\d+)?\s*$/;
const ISO = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?\s*$/i;
const HTTP_DATE = /^\s*(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d\d:\d\d/i;
const ZONE = /(?:GMT|UTC|Z|[+-]\d{4})\s*$/i;

/** A whole number; of a list, or with parameters behind it, the first. */
function parseCount(text: string | null): number | undefined {
  const digits = COUNT.exec(text ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function parseReset(text: string | null, answeredAt: number): number | undefined {
  if (text === null || !DECIMAL.test(text)) return parseMoment(text);
  const value = Number(text);
  if (value >= FIRST_EPOCH_MS) return valid(value);
  return valid(value >= FIRST_EPOCH_SECONDS ? value * 1000 : answeredAt + value * 1000);
}

function parseRetryAfter(text: string | null, answeredAt: number): number | undefined {
  return text !== null && DECIMAL.test(text) ? valid(answeredAt + Number(text) * 1000) : parseMoment(text);
}

/** An ISO 8601 time or an HTTP date, in milliseconds since 1970. Without a zone it is UTC, as servers mean it. */
function parseMoment(text: string | null): number | undefined {
  if (text === null) return undefined;
  const iso = ISO.exec(text);
  if (iso !== null) {
    const [, day, time, fraction = '', zone = 'Z'] = iso;
    const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?/, '$1:') : 'Z';
    // Engines agree on three decimals only.
    return valid(Date.parse(`${day}T${time}${fraction.slice(0, 4)}${offset}`));
  }
  // Date.parse alone would find a date in nearly any text with a number in it.
  if (!HTTP_DATE.test(text)) return undefined;
  return valid(Date.parse(ZONE.test(text) ? text : `${text.trim()} GMT`));
}

function valid(moment: number): number | undefined {
  return Math.abs(moment) <= LAST_MOMENT ? moment : undefined;
}
