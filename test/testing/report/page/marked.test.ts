import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsOfHtml } from '../../../../src/testing/report/page/parts/marked.ts';

test('tags, names, values and comments have a colour each', () => {
  expect(partsOfHtml('<!-- a --><p class="b" hidden>c &lt; d</p><br/>')).toEqual([
    ['comment', '<!-- a -->'],
    ['tag', '<p '],
    ['name', 'class'],
    ['tag', '='],
    ['value', '"b"'],
    ['tag', ' '],
    ['name', 'hidden'],
    ['tag', '>'],
    ['text', 'c &lt; d'],
    ['tag', '</p><br/>'],
  ]);
});

test('the parts are the whole text, whatever it is', () => {
  const pieces = fc.constantFrom('<', '>', '<!--', '-->', '<p', '"', "'", '=', ' ', 'a', '/', '\n', 'é');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (given) => {
      const html = given.join('');
      expect(
        partsOfHtml(html)
          .map(([, text]) => text)
          .join(''),
      ).toBe(html);
    }),
  );
});
