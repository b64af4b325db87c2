import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edited } from '../../src/cli/json-edit.ts';

test('changes a value, and leaves the rest as it is written', () => {
  const text =
    '{\n\t"name" : "\\u0041nn",\n\n\t"items": [ { "sku": "T-1",   "price": 1e2 } ],\n\t"n": 1.0\n}\n';
  expect(edited(text, { name: 'Ann', items: [{ sku: 'T-1', price: 4 }], n: 1 })).toBe(
    '{\n\t"name" : "\\u0041nn",\n\n\t"items": [ { "sku": "T-1",   "price": 4 } ],\n\t"n": 1.0\n}\n',
  );
});

test.each([
  ['{ "a": 1 }', { a: 1, b: [2] }, '{ "a": 1, "b": [2] }'],
  ['{\n  "a": 1\n}', { a: 1, b: { c: 2 } }, '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}'],
  ['{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', { a: 1, c: 3 }, '{\n  "a": 1,\n  "c": 3\n}'],
  ['{ "a": [1,  2] }', { a: [1, 2, 3] }, '{ "a": [1,  2, 3] }'],
  ['{ "a": [1,  2] }', { a: [] }, '{ "a": [] }'],
  ['{}\r\n', { a: 1 }, '{"a":1}\r\n'],
  ['{ "a": 1, "a": 2 }', { a: 3 }, '{"a":3}'],
])('%s', (text, value, expected) => {
  expect(edited(text, value)).toBe(expected);
});

test('gives the value for any JSON in any layout, and the text itself for its own value', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  const layout = fc.constantFrom(undefined, 1, 2, '\t');
  fc.assert(
    fc.property(object, object, layout, (before, after, space) => {
      const text = JSON.stringify(before, null, space);
      const value = JSON.parse(JSON.stringify({ ...before, ...after })) as unknown;
      expect(JSON.parse(edited(text, value))).toEqual(value);
      expect(JSON.parse(edited(text, JSON.parse(JSON.stringify(after))))).toEqual(
        JSON.parse(JSON.stringify(after)),
      );
      expect(edited(text, JSON.parse(text))).toBe(text);
    }),
  );
});

test('ends on a valid text that was cut at any position: it refuses what is not JSON', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(undefined, 2),
      (before, space) => {
        const text = JSON.stringify(before, null, space);
        for (let end = 0; end < text.length; end += 1)
          expect(() => edited(text.slice(0, end), {}), text.slice(0, end)).toThrow(SyntaxError);
      },
    ),
    { numRuns: 10 },
  );
});

test('takes time in proportion to the text, however long its lists are and however deep it is', () => {
  const long = Array.from({ length: 200_000 }, (_, index) => index);
  expect(edited(JSON.stringify(long), [...long, 1])).toBe(JSON.stringify(long).replace(/\]$/, ', 1]'));
  const deep = (value: unknown) => `${'['.repeat(2_000)}${JSON.stringify(value)}${']'.repeat(2_000)}`;
  const text = 'x'.repeat(2_000_000);
  expect(edited(deep({ text, n: 1 }), JSON.parse(deep({ text, n: 2 }))) === deep({ text, n: 2 })).toBe(true);
});
