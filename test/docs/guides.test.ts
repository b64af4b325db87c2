import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guides, root } from './snippets.ts';

/** Pages of reference, which have no program. */
const LISTS = ['methods', 'README', 'security'];
const withCode = guides.filter(
  (file) => /^docs\/[\w-]+\.md$/.test(file) && !LISTS.some((name) => file === `docs/${name}.md`),
);

/** The first paragraph of a page, and the paragraph or block after it. */
function openingOf(markdown: string): { readonly first: string; readonly next: string } {
  const [, ...parts] = markdown.replace(/<!--[^]*?-->\n*/g, '').split(/\n{2,}/);
  // The path of a file stands in a line before its text.
  const [first = '', next = ''] = parts.filter((part) => !/^`[\w./-]+`:$/.test(part));
  return { first, next };
}

const isSentence = (text: string) => /^[A-Z`[][^]*[.:]$/.test(text) && !/[.!?]\s+[A-Z]/.test(text);

test.each(withCode)('%s begins with its task in one sentence, and code that does it', (file) => {
  const { first, next } = openingOf(readFileSync(root + file, 'utf8'));
  expect(first).toSatisfy(isSentence, 'one sentence');
  expect(first.length).toBeLessThan(160);
  expect(next).toMatch(/^```(ts|sh)\b/);
});

test('an opening of two sentences, or without code, is noticed', () => {
  expect(openingOf('# A\n\n<!-- note -->\n\nSend it:\n\n`src/a.ts`:\n\n```ts in: a\nf();\n```\n')).toEqual({
    first: 'Send it:',
    next: '```ts in: a\nf();\n```\n',
  });
  expect(isSentence('Send it. Then read it:')).toBe(false);
  expect(isSentence('Send it')).toBe(false);
});
