import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAddress } from '../../src/recipients/address.ts';
import { anyCharacter } from '../support/any-character.ts';
import { isFull, runs, SEED } from '../support/extent.ts';

const often = (numRuns: number) => ({ numRuns: runs(numRuns), ...(SEED !== undefined && { seed: SEED }) });

describe('An address', () => {
  test.each([
    ['ann@example.org', 'ann', 'example.org'],
    ['Ann.Lee+News@Example.ORG', 'ann.lee+news', 'example.org'],
    ["o'neil_1-x=y@a.b", "o'neil_1-x=y", 'a.b'],
    ['ann@bücher.example', 'ann', 'xn--bcher-kva.example'],
    ['ann@BÜCHER.Example', 'ann', 'xn--bcher-kva.example'],
    ['ann@XN--BCHER-KVA.example', 'ann', 'xn--bcher-kva.example'],
    ['ann@пример.example', 'ann', 'xn--e1afmkfd.example'],
    // A sigma at the end of a text has another lower case than one in a domain.
    ['ann@ΠΛΣ.example', 'ann', 'xn--wxajk.example'],
    ['ann@us.παράδειγμα', 'ann', 'us.xn--hxajbheg2az3al'],
  ])('%s is read', (text, local, domain) => {
    expect(readAddress(text)).toEqual({ local, domain });
  });

  test.each([
    '',
    'ann',
    '@example.org',
    'ann@',
    'ann@@example.org',
    'boss@customer.example, ann@us.example',
    'boss@customer.example;ann@us.example',
    'boss@customer.example ann@us.example',
    'Ann <ann@us.example>',
    '<ann@us.example>',
    'ann@us.example (comment)',
    '(boss@customer.example)ann@us.example',
    'ann@(comment)us.example',
    'team: ann@us.example;',
    '"ann"@us.example',
    '"boss@customer.example"@us.example',
    'boss%customer.example@us.example',
    '=?utf-8?q?boss=40customer.example=3e=00?=@us.example',
    '=?iso-8859-1?b?Ym9zc0BjdXN0b21lci5leGFtcGxlPg==?=@us.example',
    '=?utf-7?q?boss&AEA-customer.example?=@us.example',
    'ann=?@us.example',
    'customer.example!boss@us.example',
    '@us.example:boss@customer.example',
    '.ann@us.example',
    'ann.@us.example',
    'a..n@us.example',
    ' ann@us.example',
    'ann@us.example ',
    'ann@us.example\n',
    'ann@us.example\r\nBcc: boss@customer.example',
    'ann@us.example\0',
    'ann@us.example.',
    'ann@.us.example',
    'ann@us..example',
    'ann@-us.example',
    'ann@us-.example',
    'ann@[127.0.0.1]',
    'ann@us.example/customer.example',
    'ann@us.example:25',
    'ann@us.example?x',
    'ann@us.example#x',
    'ann@us.example\\x',
    'ann@us%2eexample',
    'änn@us.example',
    // Letters that one reader takes for others, or leaves out.
    'ann@us。example',
    'ann@ｕｓ.example',
    'ann@u\u00ads.example',
    'ann@u\u200bs.example',
    'ann@u\u200ds.example',
    'ann@\u212aiosk.example',
    'ann@stra\u00dfe.example',
    'ann@πλ\u03c2.example',
    'ann@１２７.0.0.1',
    'ann@us\ufe0f.example',
    'ann@\u{e0100}us.example',
    'ann@us.exam\u180bple',
    'ann@us.\u034f.example',
    'ann@bücher.us\ufe0f.example',
    'ann@bu\u0308cher.example',
    'ann@us.example@them.example',
    `${'a'.repeat(250)}@us.example`,
    undefined,
    null,
    7,
    {},
    ['ann@us.example'],
    { toString: () => 'ann@us.example' },
  ])('%j is not an address', (text) => {
    expect(readAddress(text)).toBeUndefined();
  });

  test('has no label that is not ASCII and becomes ASCII, whatever is in it', () => {
    const label = fc.string({
      unit: fc.constantFrom(
        'u',
        's',
        'ü',
        '\ufe0f',
        '\u034f',
        '\u180b',
        '\u17b4',
        '\u{e0121}',
        '\u3164',
        'Ａ',
        '中',
      ),
    });
    fc.assert(
      fc.property(label, fc.constantFrom('', 'mail.', 'bücher.'), (label, before) => {
        const domain = readAddress(`ann@${before}${label}.example`)?.domain;
        if (domain === undefined) return;
        const labels = `${before}${label}.example`.split('.');
        expect(domain.split('.')).toHaveLength(labels.length);
        for (const [index, one] of domain.split('.').entries()) {
          const given = labels[index] ?? '';
          if (/^[a-z]*$/.test(given)) expect(one).toBe(given);
          else expect(one).toMatch(/^xn--/);
        }
      }),
      often(3_000),
    );
  });

  test('no code point is left out of a domain that is ASCII otherwise', () => {
    // Above the planes of letters there are few assigned characters.
    const step = (point: number) => (isFull ? 1 : point < 0x30000 ? 7 : 61);
    const passed: string[] = [];
    for (let point = 0x80; point < 0x110000; point += step(point)) {
      const character = String.fromCodePoint(point);
      for (const domain of [`${character}us.example`, `us${character}.example`, `us.${character}example`]) {
        if (readAddress(`ann@${domain}`)?.domain === 'us.example') passed.push(point.toString(16));
      }
    }
    expect(passed).toEqual([]);
  });

  test('is the same in capitals, and its domain is ASCII', () => {
    const local = fc.stringMatching(/^[a-z\d_+'-]{1,8}(\.[a-z\d]{1,5})?$/);
    const label = fc.stringMatching(/^[a-zäöüéñλж]([a-zäöüéñλж\d-]{0,6}[a-zäöüéñλж\d])?$/);
    fc.assert(
      fc.property(local, label, label, (name, one, two) => {
        const text = `${name}@${one}.${two}`;
        const read = readAddress(text);
        // A label may begin as an encoded one does, and then has to be one.
        fc.pre(read !== undefined);
        expect(read.domain).toMatch(/^[a-z\d.-]+$/);
        expect(readAddress(text.toUpperCase())).toEqual(read);
        expect(readAddress(`${read.local}@${read.domain}`)).toEqual(read);
      }),
      often(1_000),
    );
  });

  test('has nothing in it that separates addresses, whatever the text', () => {
    const piece = fc.oneof(
      fc.constantFrom('ann', '@', 'us.example', 'customer.example', ',', ';', ' ', '<', '>', '"', '(', ')'),
      fc.constantFrom('%', '!', ':', '\\', '\n', '.', '+', '[', ']', 'ß', '。', '\u200d'),
      fc.string({ unit: anyCharacter, maxLength: 2 }),
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (text) => {
        const read = readAddress(text);
        if (read === undefined) return;
        expect(text.split('@')).toHaveLength(2);
        expect(text).not.toMatch(/[\s,;:<>()[\]"\\%!\p{Cc}\p{Cf}]/u);
        expect(text.slice(0, text.indexOf('@')).toLowerCase()).toBe(read.local);
      }),
      often(3_000),
    );
  });
});
