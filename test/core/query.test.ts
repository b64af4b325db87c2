import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryString } from '../../src/core/query.ts';

const read = (query: string) => [...new URLSearchParams(query)];

describe('queryString', () => {
  test.each([
    ['nothing', {}, ''],
    ['only undefined values', { a: undefined, b: { c: undefined }, d: [] }, ''],
    ['scalars in their order', { b: 'x', a: 1, c: true, d: false, e: 0 }, '?b=x&a=1&c=true&d=false&e=0'],
    ['an empty text', { search: '' }, '?search='],
    ['what a query string gives a meaning to', { 'a&b': 'c=d&e+f#g h' }, '?a%26b=c%3Dd%26e%2Bf%23g%20h'],
    ['more than ASCII', { search: 'Grüße 🎉' }, '?search=Gr%C3%BC%C3%9Fe%20%F0%9F%8E%89'],
  ])('%s', (_, query, expected) => {
    expect(queryString(query)).toBe(expected);
  });

  test('writes objects and arrays in brackets, as deep objects', () => {
    const query = queryString({ filters: { to: { operator: 'equal', value: ['a', 'b'] }, n: { x: 1 } } });
    expect(read(query)).toEqual([
      ['filters[to][operator]', 'equal'],
      ['filters[to][value][]', 'a'],
      ['filters[to][value][]', 'b'],
      ['filters[n][x]', '1'],
    ]);
    expect(query).not.toMatch(/[[\]]/);
  });

  test('is empty without a query', () => {
    expect(queryString()).toBe('');
    expect(queryString(undefined)).toBe('');
  });

  test('property: names and values read back as they were', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean())), (query) => {
        expect(read(queryString(query))).toEqual(
          Object.entries(query).map(([name, value]) => [name, String(value)]),
        );
      }),
    );
  });
});
