import type { RateLimitInfo } from '../core/api-promise.ts';

/** What a response says about limits, and how long to wait, independent of the local clock where possible. */
export interface RateLimitHeaders extends RateLimitInfo {
  /** Milliseconds from the response to the reset; 0 if that has passed. */
  readonly resetAfterMs?: number;
  /** `Retry-After`, in milliseconds from the response. */
  readonly retryAfterMs?: number;
}

/**
 * Reads the rate limit headers. A reset may be a date and time (ISO 8601, HTTP date, seconds or milliseconds since
 * 1970) or seconds from now. Waits are measured from the response's own `Date`, so that a wrong local clock does no
 * harm; `wallNow` is used if there is none. Whatever cannot be read is absent.
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

/** Reads only the two counts, which is all that most responses are asked for. */
export function readCounts(headers: Pick<Headers, 'get'>): {
  limit: number | undefined;
  remaining: number | undefined;
} {
  return {
    limit: parseCount(headers.get('x-ratelimit-limit')),
    remaining: parseCount(headers.get('x-ratelimit-remaining')),
  };
}

/** Numbers below this are seconds from now: as seconds since 1970, even this one would be in 2001. */
const FIRST_EPOCH_SECONDS = 1e9;
/** Numbers from this on are milliseconds since 1970: this one is in 1973, and as seconds would be in the year 5138. */
const FIRST_EPOCH_MS = 1e11;
/** The latest time that a Date can represent. */
const LAST_MOMENT = 8.64e15;

const COUNT = /^\s*(\d+)\s*(?:[,;]|$)/;
const DECIMAL = /^\s*\d+(?:\.\d+)?\s*$/;
const ISO = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?\s*$/i;
const HTTP_DATE = /^\s*(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d{2}:\d\d:\d\d/i;
const ZONE = /(?:GMT|UTC|Z|[+-]\d{4})\s*$/i;

/** A whole number; the first one if it is a list or has parameters. */
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

/** An ISO 8601 date and time, or an HTTP date, in milliseconds since 1970. Without a zone it is taken as UTC. */
function parseMoment(text: string | null): number | undefined {
  if (text === null) return undefined;
  const iso = ISO.exec(text);
  if (iso !== null) {
    const [, day, time, fraction = '', zone = 'Z'] = iso;
    const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?/, '$1:') : 'Z';
    // JavaScript engines agree on no more than three decimals.
    return valid(Date.parse(`${day}T${time}${fraction.slice(0, 4)}${offset}`));
  }
  // Checked first, because Date.parse finds a date in nearly any text that contains a number.
  if (!HTTP_DATE.test(text)) return undefined;
  return valid(Date.parse(ZONE.test(text) ? text : `${text.trim()} GMT`));
}

function valid(moment: number): number | undefined {
  return Math.abs(moment) <= LAST_MOMENT ? moment : undefined;
}
