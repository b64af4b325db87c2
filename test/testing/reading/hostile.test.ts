/** Emails that are made to break a parser, or to take it long. Sizes are compared, and not times: a busy machine fails none. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../support/any-character.ts';
import { sized } from '../../support/extent.ts';
import { said } from './said.ts';

/** The processor's time that something takes, in milliseconds: the least of several tries. */
function costOf(work: () => void): number {
  const times = Array.from({ length: 2 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

const SIZE = sized(1_000, 300);

const HOSTILE: Record<string, (count: number) => string> = {
  links: (count) => '<p><a href="https://a.test/?b=1&amp;c=2">x</a> 1234'.repeat(count),
  'deep elements': (count) => '<div>'.repeat(count),
  'nested anchors': (count) => '<a href="https://a.test/">'.repeat(count),
  'anchors nested by tables': (count) => '<a href="https://a.test/"><table><td>'.repeat(count),
  'images in nested anchors': (count) => '<a href="https://a.test/"><table><td><img alt=1234>'.repeat(count),
  'anchors over blocks': (count) => '<a href="https://a.test/"><p>'.repeat(count),
  'text out of tables': (count) => `<table>${'x<br>'.repeat(count)}`,
  'formatting that is closed in another order': (count) => '<b><p></b>'.repeat(count),
  'white space': (count) => `a${' \n\t&nbsp;'.repeat(count)}b`,
  digits: (count) => '1234 '.repeat(count),
  'digits in a row': (count) => '1'.repeat(10 * count),
  'digits and punctuation': (count) => `${'('.repeat(5 * count)}1234${')'.repeat(5 * count)}`,
  'digits with letters that write no spaces': (count) => '年1234月'.repeat(count),
  'style sheets': (count) =>
    `<style>${'.a{display:none}'.repeat(count)}</style>${'<p class=a>'.repeat(count)}`,
  'rules for one class': (count) =>
    `<style>${Array.from({ length: count }, (_, index) => `.a{height:${index}px}`).join('')}</style>` +
    Array.from({ length: count }, (_, index) => `<p class="a b${index}">`).join(''),
  'a style sheet that is never closed': (count) =>
    `<style>${'@media screen{'.repeat(count)}${'/* '.repeat(count)}`,
  'spaces in a style': (count) =>
    `<style>@media ${' '.repeat(5 * count)}and{</style><p style="${' :;'.repeat(count)}">`,
  classes: (count) =>
    `<style>.a{display:none}</style><b class="${'a '.repeat(count)}">${'<p>'.repeat(count)}`,
  attributes: (count) => `<a ${Array.from({ length: count }, (_, index) => `a${index}`).join(' ')}>`,
  comments: (count) => '<!--'.repeat(count) + '<!-- -->'.repeat(count),
  entities: (count) => '&amp;&lt;&notanentity;&#x41;'.repeat(count),
};

describe('Time in proportion to the size', () => {
  test.each(Object.entries(HOSTILE))('%s', (_, made) => {
    const read = (count: number) => {
      const html = made(count);
      return costOf(() => {
        const { links, codes } = said({ html });
        if (links.length < 0 || codes.length < 0) throw new Error('never');
      });
    };
    read(SIZE / 10);
    const [small, large] = [read(SIZE), read(SIZE * 8)];
    // Eight times as much takes eight times as long, and not sixty-four times.
    expect(large).toBeLessThan(30 * Math.max(small, 3));
  });

  test('for a text', () => {
    for (const made of [
      (count: number) => `https://a.test/${')'.repeat(10 * count)}`,
      (count: number) => 'https://'.repeat(count),
      (count: number) => ' '.repeat(10 * count),
      (count: number) => 'call us at '.repeat(count),
    ]) {
      const read = (count: number) => {
        const text = made(count);
        return costOf(() => said({ text }));
      };
      const [small, large] = [read(SIZE), read(SIZE * 8)];
      expect(large).toBeLessThan(30 * Math.max(small, 3));
    }
  });

  const count = sized(100_000, 20_000);
  test(`${count} links, in 100 bytes each`, () => {
    const html = `<a href="https://a.test/?b=1&amp;c=2">x</a>${' word'.repeat(12)}<br>`.repeat(count);
    expect(html.length).toBeGreaterThan(100 * count);
    const { links, codes } = said({ html });
    expect([links.length, codes]).toEqual([count, []]);
    expect(links.at(-1)).toEqual({ url: 'https://a.test/?b=1&c=2', text: 'x' });
  });

  test('elements without end are refused', () => {
    const tags = Array.from({ length: 10_000 }, (_, index) => `<b id=${index}>`).join('');
    expect(() => said({ html: `<p>${tags}</p>${'<p>x</p>'.repeat(1_000)}` })).toThrow(
      new RangeError('The HTML of the email has more than 116897 elements'),
    );
  });
});

const piece = fc.constantFrom(
  ...'<a href="https://a.test/1"> <a href=javascript:x> </a> <b> </b> <p> </p> <table> <td> </table> <div hidden> </div> <style> </style> <svg> <math> <template> <base href="https://b.test/"> <!-- --> <![CDATA[ ]]> <br> <img alt="1234"> <select> <textarea> <title> 1234 123456 x'.split(
    / (?=[<\]\d-]|x$)/,
  ),
  '\0',
  '\ud800',
  '\u00a0',
  '&#0;',
  '&amp',
  '"',
  '>',
);

test('Links and codes are read from any HTML', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ unit: anyCharacter, maxLength: 8 })), { maxLength: 60 }),
      (parts) => {
        const { links, codes, text } = said({ html: parts.join('') });
        for (const { url } of links) {
          expect(new URL(url).href).toBe(url);
          expect(url).not.toMatch(/^javascript:/);
        }
        for (const code of codes) {
          expect(code).toMatch(/^\d{4,8}$/);
          expect(text).toContain(code);
        }
        expect(text).not.toMatch(/^\s|\s$|[\s]{2}|\u200b/);
      },
    ),
    { numRuns: 500 },
  );
});

test('A code that stands alone is found, whatever stands around it', () => {
  const word = fc.constantFrom(
    'Hello',
    'Ann',
    'your code is',
    'thank you',
    '<br>',
    '&nbsp;',
    'in 2026',
    'https://a.test/4711',
    '€ 4711',
  );
  fc.assert(
    fc.property(
      fc.array(word),
      fc.array(word),
      fc.stringMatching(/^[3-9]\d{3,7}$/),
      (before, after, code) => {
        const html = `<p>${before.join(' ')}</p><p><b>${code}</b></p><p>${after.join(' ')}</p>`;
        expect(said({ html }).code()).toBe(code);
        expect(
          said({
            text: `${before.join(' ').replaceAll('<br>', '\n').replaceAll('&nbsp;', ' ')}\n${code}\n`,
          }).code(),
        ).toBe(code);
      },
    ),
  );
});
