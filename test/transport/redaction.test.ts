import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redaction, Tokens } from '../../src/transport/redaction.ts';
import { FORMS, shows } from '../attack/leak-forms.ts';
import { between, REDACTED, tokensOf, without } from '../support/redactions.ts';

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

  test.each(Object.entries(FORMS))('with any characters, in the form: %s', (_, write) => {
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

  test('if it ends or begins with a text like a part of an escape', () => {
    expect(without('41-secret').text('%2541-secret %41-secret')).toBe('%25[redacted] %[redacted]');
    expect(without('secret-%25').text('<secret-%25>41')).toBe('<[redacted]>41');
  });

  test('if its end forms an escape with the text beside it', () => {
    expect(without('secret-12&#9').text('<secret-12&#91>')).toBe('<[redacted]1>');
    expect(without('secret-12&#9').text('<secret-12%26%2391>')).toBe('<[redacted]1>');
    expect(without('secret-12%4').text('<secret-12%25%341>')).toBe('<[redacted]1>');
    expect(without('secret-12%4').text('<secret-12\\u0025\\u00341>')).toBe('<[redacted]1>');
  });

  test('if it is an escape itself', () => {
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
  test('match nothing before the first one', () => {
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
