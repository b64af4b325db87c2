import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoded } from '../../../src/testing/encoding/decoded.ts';

test('decodes an encoded text beside bytes that are not UTF-8', () => {
  const wellFormed = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(wellFormed, fc.constantFrom('100% ', '%zz', '%', '%ff '), (text, broken) => {
      expect(decoded(broken + encodeURIComponent(text))).toBe(broken + text);
    }),
  );
});
