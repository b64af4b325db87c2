import { describe, expect, test } from 'vitest';
import { PartReader } from '../../../src/testing/service/areas/sending/parts.ts';
import {
  check,
  arrayOf,
  fits,
  mapOf,
  objectOf,
  oneOf,
  or,
  positive,
  text,
  type Kind,
} from '../../../src/testing/declare/kind.ts';
import { FieldErrors, NOT_IN_LIST } from '../../../src/testing/service/wire/fields.ts';
import { Refusal } from '../../../src/testing/service/wire/reply.ts';

const mode = oneOf(['rapid', 'gradual']);

describe('One kind, and what says that a value is not of it', () => {
  test('an argument throws, and names itself and the rule', () => {
    expect(() => {
      check(mode, 'slow', 'mode');
    }).toThrow(new RangeError("`mode` must be one of 'rapid', 'gradual', not 'slow'"));
    expect(() => {
      check(mode, 5, 'mode');
    }).toThrow(new TypeError("`mode` must be one of 'rapid', 'gradual', not 5"));
  });

  test('a field has the message of the service, beside those of other fields', () => {
    const errors = new FieldErrors();
    expect(errors.read(mode, 'slow', 'rapid', 'delivery_mode', NOT_IN_LIST)).toBe('rapid');
    expect(errors.read(arrayOf('ids', positive), [1, 0], [], 'ids')).toEqual([]);
    expect(errors.all).toEqual({ delivery_mode: [NOT_IN_LIST], ids: ['is invalid'] });
    expect(() => {
      errors.throwIfAny();
    }).toThrow(Refusal);
  });

  test('a field that is not given keeps its value, and is not an error', () => {
    const errors = new FieldErrors();
    expect(errors.read(mode, undefined, 'gradual', 'delivery_mode')).toBe('gradual');
    expect(errors.read(mode, 'rapid', 'gradual', 'delivery_mode')).toBe('rapid');
    expect(errors.any).toBe(false);
  });

  test('a part of an email has a sentence with the words of the kind', () => {
    const reader = new PartReader({ category: 5, custom_variables: ['x'], from: 'a@b.test', to: {} });
    reader.text('category');
    reader.customVariables();
    reader.address('from');
    reader.addresses('to');
    expect(reader.errors).toEqual([
      "'category' must be a string",
      "'custom_variables' must be an object",
      "'from' must be an object",
      "'to' must be an array",
    ]);
  });
});

describe('A problem inside a value', () => {
  const deep = objectOf({ rows: arrayOf('rows', mapOf(or(positive, null))) }, ['rows']);
  const record = objectOf<{ id: number; name: string }>({ id: positive, name: text }, 'all');

  test.each<[name: string, kind: Kind, value: unknown, error: Error]>([
    [
      'is named by the way to it',
      deep,
      { rows: [{ a: 1 }, { a: null, b: 0 }] },
      new RangeError('`it.rows[1].b` must be a whole number, 1 or more, or null, not 0'),
    ],
    [
      'may be a field that is missing',
      deep,
      {},
      new TypeError('`it.rows` must be an array of rows, not undefined'),
    ],
    [
      'may be a field that a record must have',
      record,
      { id: 1 },
      new TypeError('`it.name` must be a string, not undefined'),
    ],
    [
      'may be a name',
      record,
      { id: 1, name: 'a', age: 5 },
      new TypeError('`it.age` is unknown; the known names are id, name'),
    ],
  ])('%s', (_, kind, value, error) => {
    expect(fits(kind, value)).toBe(false);
    expect(() => {
      check(kind, value, 'it');
    }).toThrow(error);
  });

  test('is the first of several', () => {
    expect(() => {
      check(arrayOf('texts', text), ['a', 1, 2], 'it');
    }).toThrow('`it[1]`');
  });
});
