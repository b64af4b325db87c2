import { expect, test } from 'vitest';
import { isKey, isUnsendable } from '../../src/core/key.ts';

const LAST = 0x10ffff;

test('control characters and lone surrogates cannot be sent, and every other code point can', () => {
  const byProperty = /[\p{Cc}\p{Cs}]/u;
  const different: number[] = [];
  for (let code = 0; code <= LAST; code += 1) {
    const text = String.fromCodePoint(code);
    if (isUnsendable(text) !== byProperty.test(text)) different.push(code);
  }
  expect(different).toEqual([]);
});

test('a key is 1 to 255 bytes', () => {
  expect(['a', 'é'.repeat(127), '\u{1f600}'].map(isKey)).toEqual([true, true, true]);
  expect(['', 'é'.repeat(128), 'a\n', 'a\ud800', 5].map(isKey)).toEqual([false, false, false, false, false]);
});
