import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { runSnippet } from '../../docs/run-snippet.ts';
import { compile, extract, root, write } from '../../docs/snippets.ts';

const file = 'docs/observability.md';
const snippets = write(
  extract(file, readFileSync(root + file, 'utf8')).filter(({ peer }) => peer === 'observability'),
  `${import.meta.dirname}/.tmp/`,
);
const snippetWith = (text: string) =>
  snippets.find(({ code }) => code.includes(text)) ?? expect.fail(`no snippet has ${text}`);

afterEach(() => {
  vi.restoreAllMocks();
});

test('the snippets compile', () => {
  expect(snippets).toHaveLength(2);
  expect(compile(snippets)).toEqual([]);
});

describe('A snippet prints what the guide shows:', () => {
  test.each(['pino', 'prom-client'])('%s', async (name) => {
    const snippet = snippetWith(`from '${name}'`);
    expect(snippet.prints).toBeDefined();
    const printed = await runSnippet(snippet);
    expect(printed.join('\n')).not.toMatch(/headers|"body"/);
  });
});
