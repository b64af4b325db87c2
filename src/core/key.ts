/** The rules for the key of an email. */
import { isRecord } from './record.ts';
import { mustBe, type Rule } from './rules.ts';

const MAX_KEY_BYTES = 255;

/**
 * Matches control characters and lone surrogates, as the complement of all others. A literal with `\p{…}` is compiled
 * at import, which takes longer than most of the package's modules.
 */
const UNSENDABLE = /[^ -~\u00a0-\ud7ff\ue000-\u{10ffff}]/u;

/** Whether a text has a control character, or a lone surrogate, which could not be sent. */
export const isUnsendable = (text: string): boolean => UNSENDABLE.test(text);

export const isKey = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  !isUnsendable(value) &&
  new TextEncoder().encode(value).length <= MAX_KEY_BYTES;

/** The rule for a key. */
export const keyRule = mustBe(`a string of 1 to ${MAX_KEY_BYTES} bytes without control characters`, isKey);

/** The issues of options whose key is undefined: the email would be sent without the protection that the caller asked for. */
export const missingKeyRule: Rule = (options) =>
  isRecord(options) && Object.hasOwn(options, 'idempotencyKey') && options.idempotencyKey === undefined
    ? [{ path: '.idempotencyKey', message: 'is undefined: leave it out to send without a key' }]
    : undefined;

/** A rounded whole number may represent several keys. */
const isExact = (value: number) => !Number.isInteger(value) || Number.isSafeInteger(value);

/**
 * The key that the service shows for a custom variable; undefined if the variable is not a key. The service may show a
 * number for a key of digits: the key is the number's text, so never `01` for 1.
 */
export const keyShownAs = (value: unknown): string | undefined => {
  if (typeof value === 'number' && isExact(value)) return String(value);
  return isKey(value) ? value : undefined;
};
