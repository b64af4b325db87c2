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
