import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_OTHER_BYTES } from '../../src/http/read-text.ts';
import { Redaction, Tokens } from '../../src/http/redact.ts';
import { FORMS, shows } from '../attack/leak-forms.ts';

const REDACTED = '[redacted]';

function tokensOf(...all: string[]): Tokens {
  const tokens = new Tokens();
  for (const token of all) tokens.add(token);
  return tokens;
}

const without = (...tokens: string[]) => new Redaction(tokensOf(...tokens));
const withoutSent = (...sent: unknown[]) => new Redaction(new Tokens(), () => sent);
const between = (min: number, max: number, unit: string) =>
  fc.string({ unit: fc.constantFrom(...Array.from(unit)), minLength: min, maxLength: max });

describe('A token is redacted', () => {
  test.each([
    'Aardvark-1',
    'AARDVARK-1',
    'aardvark-1',
    '\\u0041ardvark-1',
    '\\U0041ARDVARK-1',
    '\\\\u0041ardvark-1',
    '\\\\\\\\u0041ardvark-1',
    'A\\ardvark-1',
    'A\\\\ardvark-1',
    '\\x41ardvark-1',
    '\\u0041\\u0061\\u0072\\u0064\\u0076\\u0061\\u0072\\u006b\\u002d\\u0031',
    'Aardvar\\u006b-1',
    'Aardvar\\u006B-1',
    '%41ardvark-1',
    '%2541ardvark-1',
    '%25252525252525252541ardvark-1',
    'Aardvark%2d1',
    'Aardvark%2D1',
    '&#65;ardvark-1',
    '&#00065;ardvark-1',
    'Aardvark&#45;1',
    'Aardvar&#107-1',
    'Aardvar&#x6b;-1',
    'Aardvar&#X6B;-1',
    'Aardvar&#x0006b-1',
    'Aardvar&amp;#107;-1',
    'Aardvar&AMP;#107;-1',
    'Aardvar&amp;amp;amp;#107;-1',
    'Aardvar\\u0026#107;-1',
    'Aardvar%26%23107;-1',
    'Aardvar%2526amp%253b#107;-1',
  ])('written %s', (written) => {
    const redaction = without('Aardvark-1');
    expect(redaction.text(`<${written}>`)).toBe('<[redacted]>');
    expect(redaction.text(`${written} and ${written}`)).toBe('[redacted] and [redacted]');
  });

  test.each(Object.entries(FORMS))('whatever it is, in the form: %s', (_, write) => {
    const tokens = between(12, 40, 'abcXYZ019-_./+=~!$*:;,@&#');
    const around = between(0, 5, 'ab1 =:"{');
    fc.assert(
      fc.property(tokens, around, around, (token, before, after) => {
        expect(shows(without(token).text(`${before}${write(token)}${after}`), token)).toBe(false);
      }),
      // Looking for what is left takes long; test/attack looks more often.
      { numRuns: 20 },
    );
  });

  test.each([
    ['base64', (text: string) => text],
    ['base64 for URLs', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
    ['base64 that is percent-encoded', encodeURIComponent],
  ])('in %s, with no more left than belongs to what stands beside it', (_, write) => {
    const tokens = between(8, 40, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+~?>');
    const around = between(1, 7, 'u: ?>~');
    fc.assert(
      fc.property(tokens, around, around, (token, before, after) => {
        const encoded = btoa(before + token + after);
        const start = Math.ceil((before.length * 4) / 3);
        const end = Math.floor(((before.length + token.length) * 4) / 3);
        expect(decodeURIComponent(without(token).text(write(encoded)))).toBe(
          write === encodeURIComponent
            ? encoded.slice(0, start) + REDACTED + encoded.slice(end)
            : write(encoded.slice(0, start)) + REDACTED + write(encoded.slice(end)),
        );
      }),
    );
  });

  test('with what is escaped beside it, as far as it can be part of a token', () => {
    const redaction = without('Aardvark-1');
    expect(redaction.text('%1f%20%7e%7f%41ardvark-1')).toBe('%1f ~%7f[redacted]');
    expect(redaction.text('&#31;&#32;&#126;&#127;&#65;ardvark-1')).toBe('&#31; ~&#127;[redacted]');
    expect(redaction.text('%c3%a9&#233;&#xe9;&eacute;%41ardvark-1')).toBe(
      '%c3%a9&#233;&#xe9;&eacute;[redacted]',
    );
    expect(redaction.text('\\u00e9\\u0141\\n%41ardvark-1')).toBe('u0141n[redacted]');
    expect(redaction.text('100%, %zz, %4, &#; &#x; &#65a&#x41g %41ardvark-1')).toBe(
      '100%, %zz, %4, &#; &#x; AaAg [redacted]',
    );
  });

  test('where it ends in what looks like a part of an escape, or begins with it', () => {
    expect(without('41-secret').text('%2541-secret %41-secret')).toBe('%25[redacted] %[redacted]');
    expect(without('secret-%25').text('<secret-%25>41')).toBe('<[redacted]>41');
  });

  test('where it is an escape itself', () => {
    const redaction = without('%41bcdefgh', 'a\\/b&amp;c&#100;');
    expect(redaction.text('%41bcdefgh')).toBe(REDACTED);
    expect(redaction.text('Abcdefgh')).toBe(REDACTED);
    expect(redaction.text('%2541bcdefgh')).toBe(REDACTED);
    expect(redaction.text('a\\/b&amp;c&#100;')).toBe(REDACTED);
    // Resolved, this one is shorter than eight characters.
    expect(redaction.text('a/b&cd')).toBe('a/b&cd');
  });

  test('from eight characters on', () => {
    expect(without('1234567').text('1234567 MTIzNDU2Nw==')).toBe('1234567 MTIzNDU2Nw==');
    expect(without('12345678').text('12345678 MTIzNDU2Nzg=')).toBe('[redacted] [redacted]g=');
  });

  test('but not what remains of it where its escapes are resolved, if that is shorter', () => {
    expect(without('%41bcdefg').text('Abcdefg')).toBe('Abcdefg');
    expect(without('\\\\\\\\\\\\\\\\').text('hello')).toBe('hello');
  });

  test('with all of its last character, however that is escaped', () => {
    expect(without('secret-1/').text('<secret-1%2F> <secret-1/> <secret-1_>')).toBe(
      '<[redacted]> <[redacted]> <[redacted]>',
    );
    expect(without('secret-1;').text('<secret-1%3B>')).toBe('<[redacted]>');
  });

  test('as a whole, where one is the beginning of another', () => {
    const all = ['secret-1', 'secret-1-and', 'secret-1-and-more'];
    for (const order of [all, [...all].reverse(), [all[1], all[2], all[0]], [all[2], all[0], all[1]]]) {
      const redaction = without(...(order as string[]));
      for (const token of all) expect(redaction.text(`<${token}>`)).toBe('<[redacted]>');
    }
  });

  test('and nothing else', () => {
    const text = 'a\\u0041 \\n %41%20 &amp;lt; &#65; aardvark-2 QWFyZHZhcms= [redacted]';
    expect(without('Aardvark-1').text(text)).toBe(text);
    expect(without().text(text)).toBe(text);
    expect(without('a.c.e.g.i').text('abcdefghi')).toBe('abcdefghi');
    expect(without('(a|b)*c$').text('aaac (a|b)*c$ (a|b)*cd')).toBe('aaac [redacted] (a|b)*cd');
  });

  test('after at most four rounds', () => {
    expect(without('Aardvark-1').text('&amp;amp;amp;amp;#65;ardvark-1')).toBe(
      '&amp;amp;amp;amp;#65;ardvark-1',
    );
  });
});

describe('The tokens', () => {
  test('match nothing while there are none', () => {
    expect(new Tokens().pattern).toEqual(/(?!)/gi);
    expect(tokensOf('short').pattern).toEqual(/(?!)/gi);
  });

  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `token-number-${at}.`);

  test('sent last are redacted: ten of them', () => {
    const redaction = without(...numbered(11));
    expect(redaction.text('token-number-0.')).toBe('token-number-0.');
    for (const token of numbered(11).slice(1)) expect(redaction.text(token)).toBe(REDACTED);
  });

  test('count from when they were sent last', () => {
    const redaction = without(...numbered(10), 'token-number-0.', 'token-number-10.');
    expect(redaction.text('token-number-0.')).toBe(REDACTED);
    expect(redaction.text('token-number-1.')).toBe('token-number-1.');
    expect(redaction.text('token-number-2.')).toBe(REDACTED);
  });

  test('count once, however often they are sent', () => {
    const [first = '', ...others] = numbered(3);
    const redaction = without(first, ...Array.from({ length: 12 }, () => others).flat());
    expect(redaction.text(first)).toBe(REDACTED);
  });

  test('are looked for with the same pattern until there is another', () => {
    const tokens = tokensOf('token-number-1', 'token-number-2');
    const { pattern } = tokens;
    tokens.add('token-number-2');
    tokens.add('short');
    expect(tokens.pattern).toBe(pattern);
    tokens.add('token-number-3');
    expect(new Redaction(tokens).text('token-number-3')).toBe(REDACTED);
    expect(tokens.pattern).not.toBe(pattern);
  });
});

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

  test('keeps the types of what is not a secret', () => {
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

  test('so that loggers show its code, and whoever catches it may change it', () => {
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

  test('without fields that are neither text nor number, and without what is absent', () => {
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
  ])('as one that cannot be described, where %s', (_, thrown) => {
    const copy = copyOf(thrown);
    expect(copy).toBeInstanceOf(Error);
    expect(copy.message).toBe('A failure that cannot be described.');
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

describe('What was sent is cut out', () => {
  /** As many characters, no 64 of which stand in it twice. */
  const long = (length: number) =>
    Array.from({ length: Math.ceil(length / 8) }, (_, at) => `${String(at).padStart(7, '.')},`)
      .join('')
      .slice(0, length);

  test('from 64 characters on', () => {
    expect(withoutSent(long(63)).text(`<${long(63)}>`)).toBe(`<${long(63)}>`);
    expect(withoutSent(long(64)).text(`<${long(64)}>`)).toBe('<[redacted]>');
    expect(withoutSent(long(64)).text(long(64))).toBe(REDACTED);
    expect(withoutSent(long(64)).text(long(63))).toBe(long(63));
  });

  test('as a whole, and what stands around it stays', () => {
    const around = between(0, 80, 'ABC');
    fc.assert(
      fc.property(around, around, around, between(64, 300, 'abcdefgh'), (before, middle, after, sent) => {
        const redaction = withoutSent(sent);
        expect(redaction.text(before + sent + after)).toBe(before + REDACTED + after);
        expect(redaction.text(`${before}${sent}D${middle}${sent}${after}`)).toBe(
          `${before}${REDACTED}D${middle}${REDACTED}${after}`,
        );
      }),
    );
  });

  test('once, where it stands twice without anything between', () => {
    for (const length of [64, 65, 127, 128, 129]) {
      const redaction = withoutSent(long(length));
      expect(redaction.text(long(length) + long(length))).toBe(REDACTED);
      expect(redaction.text(`<${long(length)}${long(length)}>`)).toBe('<[redacted]>');
      expect(redaction.text(`${long(length)}.${long(length)}`)).toBe('[redacted].[redacted]');
    }
  });

  test('where only its beginning or its end is repeated, but for less than 64 characters', () => {
    const redaction = withoutSent(long(400));
    expect(redaction.text(`${long(138)}…`)).toBe(`[redacted]${long(138).slice(-10)}…`);
    expect(redaction.text(`…${long(400).slice(54)}`)).toBe(`…${long(64).slice(-10)}[redacted]`);
  });

  test('where it is escaped', () => {
    const sent = `${'a b&c/"d"<é>\n'.repeat(8)}-`;
    const redaction = withoutSent(sent);
    for (const write of [JSON.stringify, (text: string) => text.replaceAll('&', '&amp;')])
      expect(withoutSent(sent, write(sent)).text(`<${write(sent)}>`)).toMatch(/^<"?\[redacted\]"?>$/);
    const ascii = 'a b&c/"d"<e>~'.repeat(8);
    for (const write of [
      encodeURIComponent,
      (text: string) => text.replace(/\W/g, (char) => `&#${char.charCodeAt(0)};`),
    ])
      expect(withoutSent(ascii).text(`<${write(ascii)}>`)).toBe('<[redacted]>');
    expect(redaction.text(`<${sent}>`)).toBe('<[redacted]>');
  });

  test('and a token in it', () => {
    const sent = `${long(70)}Aardvark-1${long(70)}`;
    const redaction = new Redaction(tokensOf('Aardvark-1'), () => [sent, long(70)]);
    expect(redaction.text(`<${long(70)}Aardvark-1>`)).toBe(`<[redacted][redacted]>`);
  });

  test('wherever in the values it stood, however deeply', () => {
    const texts = [0, 1, 2, 3].map((at) => `${at}`.repeat(70));
    let deep: unknown = texts[3];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const redaction = withoutSent(
      null,
      undefined,
      7,
      texts[0],
      { a: texts[1], b: [null, { c: texts[2] }] },
      deep,
    );
    for (const text of texts) expect(redaction.text(`<${text}>`)).toBe('<[redacted]>');
    expect(redaction.text(`<${'4'.repeat(70)}>`)).toBe(`<${'4'.repeat(70)}>`);
  });

  test('as far as a response can repeat it', () => {
    const block = (at: number) => String(at).padStart(64, '-');
    const blocks = MAX_OTHER_BYTES / 64;
    const sent = Array.from({ length: blocks + 3 }, (_, at) => block(at)).join('');
    const redaction = withoutSent(sent);
    for (const at of [0, blocks - 1, blocks + 2]) expect(redaction.text(block(at))).toBe(REDACTED);
    for (const at of [blocks, blocks + 1]) expect(redaction.text(block(at))).toBe(block(at));
  });

  test('and looked at only once it is needed', () => {
    let asked = 0;
    const redaction = new Redaction(new Tokens(), () => {
      asked += 1;
      return [long(64)];
    });
    redaction.text(long(63));
    expect(asked).toBe(0);
    redaction.text(long(64));
    redaction.text(long(99));
    expect(asked).toBe(1);
  });
});
