import type { Issue } from './errors.ts';
import type { RequestOptions } from './request.ts';
import { durationRule } from './durations.ts';

const KNOWN: readonly string[] = [
  'signal',
  'timeoutMs',
  'deadlineMs',
  'retry',
  'headers',
  'priority',
  'accountId',
] satisfies (keyof RequestOptions)[];
const KNOWN_RETRY: readonly string[] = ['maxRetries', 'maxWaitMs'];

/** Headers the client answers for: a caller's would break the request, or send the token in two places. */
const OWN_HEADERS: readonly string[] = [
  'authorization',
  'api-token',
  'content-type',
  'content-length',
  'transfer-encoding',
  'host',
  'connection',
];
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What ends a header, or cannot be sent in one. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What is wrong with a whole number that must not be negative. */
export const countRule = (value: unknown): string | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'must be a whole number, 0 or more';

/** What is wrong with retry settings, by field. */
export function retryIssues(retry: unknown, prefix: string): Issue[] {
  if (retry === undefined || retry === false) return [];
  if (typeof retry !== 'object' || retry === null) {
    return [{ path: prefix, message: 'must be false or { maxRetries, maxWaitMs }' }];
  }
  const { maxRetries, maxWaitMs } = retry as Record<string, unknown>;
  const issues = unknownKeys(retry, KNOWN_RETRY, `${prefix}.`);
  const add = (name: string, rule: string | undefined) => {
    if (rule !== undefined) issues.push({ path: `${prefix}.${name}`, message: rule });
  };
  if (maxRetries !== undefined) add('maxRetries', countRule(maxRetries));
  if (maxWaitMs !== undefined) add('maxWaitMs', countRule(maxWaitMs));
  return issues;
}

/** What is wrong with an id. */
export const idRule = (value: unknown): string | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'must be a positive whole number';

function unknownKeys(
  value: object,
  known: readonly string[],
  prefix: string,
  others: readonly string[] = [],
): Issue[] {
  const message = `is not a known option; known are ${[...others, ...known].join(', ')}`;
  return Object.keys(value).flatMap((key) => (known.includes(key) ? [] : [{ path: prefix + key, message }]));
}

function headerIssues(headers: unknown): Issue[] {
  // A Headers object, or a list of pairs, would be read as an object without any.
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers)
    return [{ path: 'options.headers', message: 'must be an object of names and values' }];
  return Object.entries(headers).flatMap(([name, value]: [string, unknown]) => {
    const path = `options.headers.${HEADER_NAME.test(name) ? name : '?'}`;
    if (!HEADER_NAME.test(name)) return [{ path, message: 'is not a header name' }];
    if (OWN_HEADERS.includes(name.toLowerCase())) return [{ path, message: 'is set by the client' }];
    if (typeof value === 'string' && HEADER_VALUE.test(value)) return [];
    return [{ path, message: 'must be a string without control characters' }];
  });
}

/**
 * What is wrong with the options of one call. Nearly always they are few and right. `others` are those the method takes
 * besides, and has taken out.
 */
export function optionIssues(options: RequestOptions, others: readonly string[] = []): Issue[] {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) return [{ path: 'options', message: 'must be an object' }];
  const issues = unknownKeys(options, KNOWN, 'options.', others);
  const add = (name: string, rule: string | undefined) => {
    if (rule !== undefined) issues.push({ path: `options.${name}`, message: rule });
  };
  const { signal, timeoutMs, deadlineMs, headers, priority, accountId } = options;
  // Told by its shape: a signal may come from another realm, or a polyfill.
  if (
    signal !== undefined &&
    typeof (signal as { addEventListener?: unknown } | null)?.addEventListener !== 'function'
  ) {
    add('signal', 'must be an AbortSignal');
  }
  if (timeoutMs !== undefined) add('timeoutMs', durationRule(timeoutMs));
  if (deadlineMs !== undefined) add('deadlineMs', durationRule(deadlineMs));
  if (priority !== undefined && !['high', 'normal', 'low'].includes(priority)) {
    add('priority', "must be 'high', 'normal' or 'low'");
  }
  if (accountId !== undefined) add('accountId', idRule(accountId));
  issues.push(...retryIssues(options.retry, 'options.retry'));
  if (headers !== undefined) issues.push(...headerIssues(headers));
  return issues;
}

/**
 * Options as they are now, whatever the caller does to them later. Header names are in lower case, so that they replace
 * the client's own instead of standing beside them.
 */
export function copyOfOptions(options: RequestOptions): RequestOptions {
  const { headers } = options;
  if (headers === undefined) return Object.isFrozen(options) ? options : { ...options };
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...options, headers: Object.fromEntries(entries) };
}
