import { readFileSync } from 'node:fs';
import { format } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openWorld } from '../../docs/ambient.ts';
import { asShown, compile, extract, root, write } from '../../docs/snippets.ts';
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

  for (const { line, path, prints } of snippets) {
    test(`${file}:${line}`, async () => {
      const printed: string[] = [];
      vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
        printed.push(...format(...values).split('\n'));
      });
      const close = await openWorld();
      try {
        await import(/* @vite-ignore */ path);
      } finally {
        await close();
      }
      expect(printed.map((text, index) => asShown(prints?.[index], text))).toEqual(prints);
    });
  }
});
