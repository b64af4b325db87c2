import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { said } from './said.ts';

const guide = readFileSync(new URL('../../../docs/end-to-end-tests.md', import.meta.url), 'utf8');
const [, list = ''] = /by these rules:\n\n([^]*?)\n\n(?!\d\.)/.exec(guide) ?? [];
const sentences = list.split(/\n(?=\d\. )/).map((one) => one.replace(/\s+/g, ' '));

const codeOf = (text: string) => said({ text }).code();
const codesOf = (text: string) => said({ text }).codes;
const linksOf = (html: string) => said({ html }).links.map(({ url }) => url);

/** The promises of each rule of the guide, in its order. */
const PROOFS: readonly (readonly [beginning: string, proof: () => void])[] = [
  [
    '1. `mail.code()` returns the 4 to 8 digits',
    () => {
      for (const word of ['code', 'PIN', 'OTP', 'código', '認証コード'])
        expect(codeOf(`Order 48213\n${word}: 123 456`), word).toBe('123456');
      expect(codeOf('Ihre PIN lautet 123-456.')).toBe('123456');
      expect(codeOf('Your code is\n\n12345678')).toBe('12345678');
      expect(codesOf('Your code is 123.')).toEqual([]);
    },
  ],
  [
    '2. If there are none, it returns digits',
    () => {
      expect(codeOf('Hello Ann,\n\n123456\n\nSee you.')).toBe('123456');
      expect(codeOf('Enter 123456 to sign in.')).toBe('123456');
      expect(codeOf('123456\n\nEnter 654321 to sign in.')).toBe('123456');
      expect(codeOf('Your code is 123456. Again: code 123456.')).toBe('123456');
      expect(() => codeOf('Your code is 123456. Your code is 654321.')).toThrow(/123456[^]*654321/);
    },
  ],
  [
    '3. Digits in hidden text, URLs, dates, amounts',
    () => {
      for (const other of [
        'https://shop.example.com/?id=482913',
        '2026-11-24',
        '1234 €',
        '4821 subscribers',
        'Tel. 0301 482913',
        '12 Main Street, San Francisco, CA 94103',
        'A482913B',
        'Copyright 2026',
        'Visa ending in 4242',
        'Order 48213',
        'Customer number 482913',
        'HRB 48213',
      ])
        expect(codesOf(other), other).toEqual([]);
      expect(said({ html: '<p style="display:none">Your code is 123456</p><p>Hi</p>' }).codes).toEqual([]);
    },
  ],
  [
    '4. A URL in a text ends at white space',
    () => {
      const url = 'https://shop.example.com/c?x=1';
      for (const end of [' now', '" now', '` now', '… now', '。次', 'です', '.', ')'])
        expect(
          said({ text: `Open ${url}${end}` }).links.map((link) => link.url),
          end,
        ).toEqual([url]);
    },
  ],
  [
    '5. A `<base href>` that is relative',
    () => {
      for (const base of ['', '/x/', '{{base}}'])
        expect(linksOf(`<base href="${base}"><a href="https://shop.example.com/a">a</a>`), base).toEqual([
          'https://shop.example.com/a',
        ]);
    },
  ],
];

test('the guide has these rules', () => {
  expect(sentences.map((one, at) => one.slice(0, PROOFS[at]?.[0].length))).toEqual(
    PROOFS.map(([first]) => first),
  );
});

test.each(PROOFS)('%s …', (_, proof) => proof());
