/** The quotes in the guides: see snippets.ts. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { guides, isQuoteOf, quotesOf, root } from './snippets.ts';

const read = (file: string) => readFileSync(root + file, 'utf8');
const quotes = guides.flatMap((file) => quotesOf(file, read(file)));

test('one guide quotes the shop', () => {
  expect(quotes.map(({ file }) => file)).toEqual(['docs/staging.md']);
});

describe.each(quotes)('the quote at $file:$line', ({ file, code, from, line }) => {
  test(`has consecutive lines of ${from}`, () => {
    expect(isQuoteOf(code, read(from)), `Copy the lines of ${from} to ${file}:${line} again`).toBe(true);
  });

  test('follows a paragraph that names the file', () => {
    const before = read(file)
      .split('\n')
      .slice(0, line - 2)
      .join('\n')
      .trimEnd();
    expect(before.split(/\n{2,}/).at(-1)).toContain(`\`${from}\``);
  });
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
