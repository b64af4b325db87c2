import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runSnippet } from '../../docs/run-snippet.ts';
import { compile, extract, root, write } from '../../docs/snippets.ts';
import { databasesHere } from '../../support/databases.ts';

const read = (file: string) => readFileSync(root + file, 'utf8');
const snippets = write(
  ['docs/never-twice.md', 'docs/queues.md', 'docs/webhooks.md'].flatMap((file) =>
    extract(file, read(file)).filter(({ peer }) => peer === 'sqlite'),
  ),
  `${import.meta.dirname}/.tmp/`,
);
const isHere = databasesHere().some(({ name }) => name === 'better-sqlite3');

// A guide writes its database into the folder it is run in.
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'never-twice-'));
  process.chdir(folder);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(root);
  rmSync(folder, { recursive: true, force: true });
});

test('the snippets compile', () => {
  expect(snippets).toHaveLength(4);
  expect(compile(snippets)).toEqual([]);
});

// The one for node:test would run its tests there.
for (const snippet of snippets.filter((one) => !one.code.includes('node:test'))) {
  test.skipIf(!isHere)(`${snippet.file}:${snippet.line}`, async () => {
    expect(snippet.code).not.toBe('');
    expect(snippet.prints).toBeDefined();
    await runSnippet(snippet);
  });
}
