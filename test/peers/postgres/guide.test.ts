import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runSnippet } from '../../docs/run-snippet.ts';
import { compile, extract, root, write } from '../../docs/snippets.ts';
import { missingPostgres, PostgresServer } from '../../support/postgres-server.ts';

const file = 'docs/never-twice.md';
const snippets = write(
  extract(file, readFileSync(root + file, 'utf8')).filter(({ peer }) => peer === 'postgres'),
  `${import.meta.dirname}/.tmp/`,
);

test('the snippets compile', () => {
  expect(snippets).toHaveLength(1);
  expect(compile(snippets)).toEqual([]);
});

describe.skipIf(missingPostgres() !== undefined)('with a server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create();
    vi.stubEnv('DATABASE_URL', server.url());
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.close();
  });

  for (const snippet of snippets) {
    test(`${file}:${snippet.line}`, async () => {
      expect(snippet.prints).toBeDefined();
      await runSnippet(snippet);
    });
  }
});
