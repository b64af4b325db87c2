import { describe, expect, test } from 'vitest';
import { REDACTED, without } from '../support/redactions.ts';

describe('Parsed JSON', () => {
  test('is copied, without the token in its values and keys', () => {
    const value = {
      error: 'no Aardvark-1',
      'Aardvark-1': [1, null, true, false, { deep: ['%41ardvark-1', 'ok'] }],
      empty: {},
      none: [],
    };
    const before = structuredClone(value);
    const copy = without('Aardvark-1').value(value);
    expect(copy).toEqual({
      error: 'no [redacted]',
      '[redacted]': [1, null, true, false, { deep: [REDACTED, 'ok'] }],
      empty: {},
      none: [],
    });
    expect(copy).not.toBe(value);
    expect(value).toEqual(before);
  });

  test('keeps the types of values that are not secrets', () => {
    for (const value of [null, true, 0, 1.5, '', 'text', undefined])
      expect(without('12345678').value(value)).toBe(value);
    expect(without('12345678').value({ id: 12_345_678, next: 123_456_789 })).toEqual({
      id: REDACTED,
      next: '[redacted]9',
    });
  });

  test('ends at a depth of twenty', () => {
    const nested = (depth: number, core: unknown, isArray: boolean): unknown => {
      let value = core;
      for (let level = 0; level < depth; level += 1) value = isArray ? [value] : { in: value };
      return value;
    };
    for (const isArray of [true, false]) {
      const redaction = without();
      expect(redaction.value(nested(20, 'core', isArray))).toEqual(nested(20, 'core', isArray));
      expect(redaction.value(nested(21, 'core', isArray))).toEqual(
        nested(20, '[nested too deeply]', isArray),
      );
      expect(redaction.value(nested(100_000, 'core', isArray))).toEqual(
        nested(20, '[nested too deeply]', isArray),
      );
    }
  });

  test('may have keys that objects have otherwise', () => {
    const value = JSON.parse('{"__proto__":{"a":"Aardvark-1"},"constructor":1}') as unknown;
    expect(JSON.stringify(without('Aardvark-1').value(value))).toBe(
      '{"__proto__":{"a":"[redacted]"},"constructor":1}',
    );
  });
});

test('headers lose the token in their values, and those with a token in the name are left out', () => {
  const headers = new Headers({ 'x-echo': 'Bearer Aardvark-1', 'x-aardvark-1': 'x', 'x-id': '7' });
  headers.append('set-cookie', 'a=1');
  headers.append('set-cookie', 'b=%41ardvark-1');
  const copy = without('Aardvark-1').headers(headers);
  expect([...copy]).toEqual([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=[redacted]'],
    ['x-echo', 'Bearer [redacted]'],
    ['x-id', '7'],
  ]);
  expect(headers.get('x-echo')).toBe('Bearer Aardvark-1');
});

describe('An error is copied', () => {
  const token = 'Aardvark-1';
  const copyOf = (error: unknown) => without(token).error(error) as Error & Record<string, unknown>;

  test('with its message, name, stack and system fields, and nothing else', () => {
    const fields = {
      name: `${token}Error`,
      code: `E ${token}`,
      errno: -111,
      syscall: 'connect',
      hostname: `${token}.test`,
      address: '127.0.0.1',
      port: 443,
      reason: `the reason ${token}`,
      library: 'SSL',
    };
    const more = { request: { headers: token }, config: token, toJSON: () => token, [Symbol('s')]: token };
    const error = Object.assign(new TypeError(`no ${token}`), fields, more);
    error.stack = `TypeError: no ${token}\n    at a.js:1:1`;
    const copy = copyOf(error);
    expect(copy).not.toBe(error);
    expect(copy).toBeInstanceOf(Error);
    expect(Object.fromEntries(Reflect.ownKeys(copy).map((key) => [key, Reflect.get(copy, key)]))).toEqual({
      message: 'no [redacted]',
      stack: 'TypeError: no [redacted]\n    at a.js:1:1',
      name: '[redacted]Error',
      code: 'E [redacted]',
      errno: -111,
      syscall: 'connect',
      hostname: '[redacted].test',
      address: '127.0.0.1',
      port: 443,
      reason: 'the reason [redacted]',
      library: 'SSL',
    });
    expect(error.message).toBe(`no ${token}`);
  });

  test('so that loggers show its code, and a caller may change it', () => {
    const cause = new Error('inner');
    const error = Object.assign(new AggregateError([cause], 'x', { cause }), { code: 'E', errno: 1 });
    const copy = copyOf(error);
    expect(Object.keys(copy)).toEqual(['code']);
    for (const name of ['name', 'stack', 'code', 'errno', 'cause', 'errors'])
      expect(Object.getOwnPropertyDescriptor(copy, name)).toMatchObject({
        writable: true,
        configurable: true,
      });
  });

  test('only with fields that are text or numbers', () => {
    const error = Object.assign(new Error('x'), { code: { toString: () => token }, port: true, errno: 1n });
    expect(Reflect.ownKeys(copyOf(error)).sort()).toEqual(['message', 'name', 'stack']);
    expect(copyOf(Object.assign(new Error('x'), { code: 0, syscall: '' }))).toMatchObject({
      code: 0,
      syscall: '',
    });
  });

  test.each([
    ['a text', `no ${token}`, 'no [redacted]'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol(token), 'Symbol([redacted])'],
    ['an object', { toString: (): string => token }, REDACTED],
  ])('where %s was thrown', (_, thrown, message) => {
    expect(copyOf(thrown).message).toBe(message);
    expect(Object.keys(copyOf(thrown))).toEqual([]);
  });

  const getter = (name: string) =>
    Object.defineProperty(new Error('x'), name, {
      get: () => {
        throw new Error(token);
      },
    });

  test.each([
    ['no text can be made of it', Object.create(null)],
    ['its message is no text', Object.assign(new Error('x'), { message: { token } })],
    ['its message cannot be read', getter('message')],
    ['its code cannot be read', getter('code')],
    ['its cause cannot be read', getter('cause')],
    ['its errors are no list', Object.assign(new AggregateError([]), { errors: 7 })],
  ])('as one that cannot be converted to text, where %s', (_, thrown) => {
    const copy = copyOf(thrown);
    expect(copy).toBeInstanceOf(Error);
    expect(copy.message).toBe('An error that cannot be converted to text.');
  });

  test('with its causes, four deep', () => {
    const chain = (length: number): Error =>
      new Error(`${length} ${token}`, length > 0 ? { cause: chain(length - 1) } : undefined);
    const messages: string[] = [];
    for (let at: unknown = copyOf(chain(9)); at instanceof Error; at = at.cause) messages.push(at.message);
    expect(messages).toEqual([9, 8, 7, 6, 5].map((length) => `${length} [redacted]`));
    const shortest = copyOf(chain(0));
    expect('cause' in shortest || 'errors' in shortest).toBe(false);
    expect(copyOf(new Error('x', { cause: null })).cause).toMatchObject({ message: 'null' });
  });

  test('with the errors it consists of: ten of them, four deep', () => {
    const several = Array.from({ length: 12 }, (_, at) => new Error(`${at} ${token}`));
    const errors = copyOf(new AggregateError(several, 'all')).errors as Error[];
    expect(errors.map(({ message }) => message)).toEqual(
      several.slice(0, 10).map((_, at) => `${at} [redacted]`),
    );
    let levels = 0;
    const nested = (depth: number): unknown =>
      depth === 0 ? token : new AggregateError([nested(depth - 1)]);
    for (let at = copyOf(nested(9)); Array.isArray(at.errors); levels += 1) at = at.errors[0] as typeof at;
    expect(levels).toBe(4);
    expect(copyOf(Object.assign(new Error('x'), { errors: several }))).not.toHaveProperty('errors');
  });

  test('even if it is its own cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(copyOf(error).cause).toMatchObject({ message: 'x' });
  });
});
