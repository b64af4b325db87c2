import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf } from '../../src/core/json.ts';

// Characters of one to four bytes, and halves of one, which are sent as something else.
const characters = fc.constantFrom('a', 'é', '€', '😀', '\ud83d', '\ude00');
const text = fc.array(characters).map((all) => all.join(''));
const part = fc.oneof(
  text,
  text.map((content) => new Blob([content])),
);

test('pieces of JSON are as long as each of them in a body', () => {
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(bytesOf(parts)).toBe(parts.reduce((sum, each) => sum + new Blob([each]).size, 0));
    }),
  );
});
