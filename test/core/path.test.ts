import { InvalidRequestError } from 'email-platform';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandPath } from '../../src/core/path.ts';
import { thrown } from '../support/caught.ts';

const TEMPLATE = '/api/things/{id}/stats';
const base = 'https://api.test/prefix';

/** The segments a server sees, after a URL parser has normalized the path. */
const segmentsOf = (path: string) => new URL(base + path).pathname.split('/');

describe('expandPath', () => {
  test('leaves a path without placeholders as it is', () => {
    expect(expandPath('/api/things', {})).toBe('/api/things');
  });

  test.each([
    [7, '/api/things/7/stats'],
    ['a b', '/api/things/a%20b/stats'],
    ['a/b', '/api/things/a%2Fb/stats'],
    ['a\\b', '/api/things/a%5Cb/stats'],
    ['?x=1#y', '/api/things/%3Fx%3D1%23y/stats'],
    ['%2f', '/api/things/%252f/stats'],
    ['a@b.example', '/api/things/a%40b.example/stats'],
    ['...', '/api/things/.../stats'],
    ['.hidden', '/api/things/.hidden/stats'],
    ['$&', '/api/things/%24%26/stats'],
  ])('writes %o as one segment', (id, path) => {
    expect(expandPath(TEMPLATE, { id })).toBe(path);
  });

  test.each(['', '.', '..', '%2e', '%2E%2e', '.%2E', '%2e.'])('refuses %o', (id) => {
    const error = thrown(() => expandPath(TEMPLATE, { id }), InvalidRequestError);
    expect(error.issues).toEqual([{ path: 'id', message: 'must not be empty, "." or ".."' }]);
  });

  test('refuses a path whose placeholder is not filled', () => {
    expect(() => expandPath(TEMPLATE, {})).toThrow(InvalidRequestError);
  });

  test('property: whatever the value, it stays one segment, and reads back as it was', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('.', '/', '%', '2', 'e', 'E', '\\', '?', '#', ';', '\t', '\n', ' '),
      }),
    );
    fc.assert(
      fc.property(value, (id) => {
        let path: string;
        try {
          path = expandPath(TEMPLATE, { id });
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRequestError);
          expect(id).toMatch(/^((\.|%2e){1,2})?$/i);
          return;
        }
        const segments = segmentsOf(path);
        expect(segments).toHaveLength(segmentsOf('/api/things/7/stats').length);
        expect(decodeURIComponent(segments[4] ?? '')).toBe(id);
        expect(segments.at(-1)).toBe('stats');
      }),
    );
  });
});
