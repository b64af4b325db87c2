/** What the key of an email may be. */
import { mustBe } from './rules.ts';

const MAX_KEY_BYTES = 255;

export const isKey = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  // A lone surrogate could not be sent.
  !/[\p{Cc}\p{Cs}]/u.test(value) &&
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

/** Where a journal has what a key does: a registered symbol, because the entries have no code in common. */
export const KEYS = Symbol.for('email-platform.keys');
