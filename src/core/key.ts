/** What the key of an email may be. */
import { mustBe } from './rules.ts';

const MAX_KEY_BYTES = 255;

/**
 * Control characters and lone surrogates, by what is neither. A literal with `\p{…}` would be checked as the package is
 * imported, which takes longer than most of its modules.
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

/** A whole number that is rounded may stand for many. */
const isExact = (value: number) => !Number.isInteger(value) || Number.isSafeInteger(value);

/**
 * The key that the service shows for a custom variable; undefined if it is none. The service may show a number where a key
 * looks like one: that is the key that prints like it, and no other of the same value, such as `01` for 1.
 */
export const keyShownAs = (value: unknown): string | undefined => {
  if (typeof value === 'number' && isExact(value)) return String(value);
  return isKey(value) ? value : undefined;
};

/** The property under which a journal carries the code of keys: a registered symbol, because entries share no code. */
export const KEYS = Symbol.for('email-platform.keys');
