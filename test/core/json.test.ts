import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isNestedTooDeeply, MAX_JSON_DEPTH, parseJson } from '../../src/core/json.ts';

const nested = (levels: number, core = '') => '['.repeat(levels) + core + ']'.repeat(levels);

describe('JSON is parsed down to a depth', () => {
  test('and not beyond', () => {
    expect(parseJson(nested(MAX_JSON_DEPTH))).toBeInstanceOf(Array);
    expect(parseJson(nested(MAX_JSON_DEPTH + 1))).toBeUndefined();
    expect(
      parseJson('{"a":'.repeat(MAX_JSON_DEPTH + 1) + '1' + '}'.repeat(MAX_JSON_DEPTH + 1)),
    ).toBeUndefined();
  });

  test('that counts levels, not brackets', () => {
    expect(parseJson(`[${'[],{},'.repeat(5_000)}1]`)).toHaveLength(10_001);
  });

  test.each([
    ['brackets', '['.repeat(5_000)],
    ['an escaped quote before brackets', `\\"${'{'.repeat(5_000)}`],
    ['an escaped backslash at its end', `${'['.repeat(5_000)}\\\\`],
    ['an escaped backslash and an escaped quote', `\\\\\\"${'['.repeat(5_000)}`],
  ])('in a text, %s are not levels', (_, text) => {
    expect(parseJson(`["${text}"]`)).toHaveLength(1);
  });

  test('but behind a text they are', () => {
    for (const text of ['', '\\\\', '\\"', '\\\\\\"'])
      expect(isNestedTooDeeply(`["${text}",${'['.repeat(MAX_JSON_DEPTH)}`)).toBe(true);
  });

  test('with any content', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const core = JSON.stringify(value);
        expect(isNestedTooDeeply(core)).toBe(false);
        expect(isNestedTooDeeply(nested(MAX_JSON_DEPTH + 1, core))).toBe(true);
      }),
    );
  });

  test('a text without an end is not JSON', () => {
    expect(isNestedTooDeeply(`"${'['.repeat(5_000)}`)).toBe(false);
    expect(parseJson(`"${'['.repeat(5_000)}`)).toBeUndefined();
  });
});
