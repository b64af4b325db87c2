import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../support/any-character.ts';
import { fillEndpoint } from '../../src/core/path.ts';

const NO_SEGMENT = 'must be text, and not "." or ".."';
const TEMPLATE = 'GET /api/things/{id:text}/stats';
const uuid = '123e4567-e89b-12d3-a456-426614174000';

const fill = (endpoint: string, params: object = {}, accountId?: number) =>
  fillEndpoint(endpoint, params as Record<string, unknown>, accountId);

/** The segments a server sees, after a URL parser has normalized the path. */
const segmentsOf = (path: string) => new URL(`https://api.test${path}`).pathname.split('/');

describe('An endpoint', () => {
  test('has a method and a path; without names in braces, the path stays as it is', () => {
    expect(fill('POST /api/things')).toEqual({ method: 'POST', path: '/api/things', issues: [] });
  });

  test.each([
    [undefined, '/api/things/7'],
    [1001, '/api/accounts/1001/things/7'],
  ])('begins with {account}: when the account is %s, the path is %s', (accountId, path) => {
    expect(fill('GET {account}/things/{id}', { id: 7 }, accountId)).toEqual({
      method: 'GET',
      path,
      issues: [],
    });
  });

  test('may have segments with one name without an account and another under one', () => {
    const endpoint = 'GET {account}/projects/{id}/{sandboxes|inboxes}';
    expect(fill(endpoint, { id: 7 }).path).toBe('/api/projects/7/sandboxes');
    expect(fill(endpoint, { id: 7 }, 1).path).toBe('/api/accounts/1/projects/7/inboxes');
  });

  test('may have several arguments, each by its own name', () => {
    const endpoint = 'GET /api/inboxes/{inboxId}/messages/{id}/{part:text}';
    expect(fill(endpoint, { id: 2, inboxId: 1, part: 'body.txt' }).path).toBe(
      '/api/inboxes/1/messages/2/body.txt',
    );
  });

  test.each([
    ['a b', '/api/things/a%20b/stats'],
    ['a/b', '/api/things/a%2Fb/stats'],
    ['a\\b', '/api/things/a%5Cb/stats'],
    ['?x=1#y', '/api/things/%3Fx%3D1%23y/stats'],
    ['%2f', '/api/things/%252f/stats'],
    ['a@b.example', '/api/things/a%40b.example/stats'],
    ['...', '/api/things/.../stats'],
    ['.hidden', '/api/things/.hidden/stats'],
    ['$&', '/api/things/%24%26/stats'],
    ['{id}', '/api/things/%7Bid%7D/stats'],
  ])('has the text %o as one segment', (id, path) => {
    expect(fill(TEMPLATE, { id })).toEqual({ method: 'GET', path, issues: [] });
  });
});

describe('An argument that is refused leaves its name in the path', () => {
  const refused = (endpoint: string, id: unknown, message: string) => {
    const { path, issues } = fill(endpoint, { id });
    expect(issues).toEqual([{ path: 'id', message }]);
    expect(path).toBe('/api/things/{id}/stats');
  };

  test.each(['', '.', '..', '%2e', '%2E%2e', '.%2E', '%2e.'])('the text %o', (id) => {
    refused(TEMPLATE, id, NO_SEGMENT);
  });

  test.each([undefined, null, 7, {}, Symbol('s'), 'half \ud800'])('not a text: %o', (id) => {
    refused(TEMPLATE, id, NO_SEGMENT);
  });

  test.each([undefined, null, 0, -1, 1.5, NaN, '7', {}, Symbol('s'), 2 ** 53])('not an id: %o', (id) => {
    refused('GET /api/things/{id}/stats', id, 'must be a positive whole number');
  });

  test.each([undefined, 7, '', `${uuid}0`, `${uuid}/..`, uuid.replace('4', 'g')])('not a UUID: %o', (id) => {
    refused('GET /api/things/{id:uuid}/stats', id, 'must be a UUID');
  });

  test('several at once', () => {
    const { path, issues } = fill('GET /api/a/{id}/b/{messageId:uuid}', { id: 0, messageId: 'x' });
    expect(issues.map((issue) => issue.path)).toEqual(['id', 'messageId']);
    expect(path).toBe('/api/a/{id}/b/{messageId}');
  });

  test('an invalid account, which is reported with the options instead', () => {
    expect(fill('GET {account}/things', {}, NaN)).toEqual({
      method: 'GET',
      path: '/api/accounts/{account_id}/things',
      issues: [],
    });
  });
});

/** The text as UTF-8 can hold it, in which half of a surrogate pair is replaced. */
const wellFormed = (text: string) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));

describe('property: an argument is either refused, or becomes exactly one segment that reads back as it was', () => {
  const awkward = fc.constantFrom(...Array.from('./%2eE\\?#;{}\t\n '));
  const values = {
    id: fc.oneof(fc.maxSafeNat(), fc.integer(), fc.double(), fc.string({ unit: awkward })),
    uuid: fc.oneof(fc.uuid(), fc.string({ unit: awkward }), fc.maxSafeNat()),
    text: fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: awkward }),
      fc.constantFrom('\ud800', '\udfff\ud800'),
    ),
  };
  const isRight: Readonly<Record<keyof typeof values, (value: unknown) => boolean>> = {
    id: (value) => Number.isSafeInteger(value) && Number(value) > 0,
    uuid: (value) => typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
    text: (value) =>
      typeof value === 'string' &&
      !/^((\.|%2e){1,2}(;.*|%3b.*)?)?$/is.test(value) &&
      value === wellFormed(value),
  };
  const families = [
    [undefined, '/api/things/7/stats'],
    [1001, '/api/accounts/1001/objects/7/stats'],
  ] as const;

  test.each(families.flatMap((family) => Object.keys(values).map((kind) => [kind, ...family] as const)))(
    '%s, when the account is %s',
    (kind, accountId, example) => {
      fc.assert(
        fc.property(values[kind as keyof typeof values] as fc.Arbitrary<unknown>, (value) => {
          const endpoint = `GET {account}/{things|objects}/{it:${kind}}/stats`;
          const { path, issues } = fill(endpoint, { it: value }, accountId);
          const expected = example.split('/');
          if (!isRight[kind as keyof typeof values](value)) {
            expect(issues.map((issue) => issue.path)).toEqual(['it']);
            expect(path).toBe(example.replace('/7/', '/{it}/'));
            return;
          }
          expect(issues).toEqual([]);
          const segments = segmentsOf(path);
          expect(segments).toHaveLength(expected.length);
          expect(decodeURIComponent(segments.at(-2) ?? '')).toBe(String(value));
          expect(segments.toSpliced(-2, 1)).toEqual(expected.toSpliced(-2, 1));
        }),
      );
    },
  );
});
