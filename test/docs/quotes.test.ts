/** The quotes in the guides: see snippets.ts. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guides, isQuoteOf, quotesOf, root } from './snippets.ts';

const read = (file: string) => readFileSync(root + file, 'utf8');
const quotes = guides.flatMap((file) => quotesOf(file, read(file)));

test('a guide that quotes a file has consecutive lines of it', () => {
  expect(quotes).not.toEqual([]);
  const wrong = quotes.filter(({ code, from }) => !isQuoteOf(code, read(from)));
  expect(wrong.map(({ file, line, from }) => `${file}:${line}: copy the lines of ${from} again`)).toEqual([]);
});

test('a quote that differs from its file is noticed', () => {
  const text = 'a {\n  b {\n    c;\n  }\n}\n';
  expect(isQuoteOf('b {\n  c;\n}', text)).toBe(true);
  expect(isQuoteOf('b {\n  d;\n}', text)).toBe(false);
  expect(isQuoteOf('b {\n}', text)).toBe(false);
  expect(isQuoteOf('b {', text)).toBe(true);
  expect(quotesOf('a.md', '# A\n\n```ts from: b/c.ts\nx;\n```\n')).toEqual([
    { file: 'a.md', line: 4, code: 'x;', from: 'b/c.ts' },
  ]);
});
