import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { runSnippet } from '../../docs/run-snippet.ts';
import { compile } from '../../docs/snippets.ts';
import { isWorker, snippets } from './snippets.ts';
import { describeWithServers, Servers } from './servers.ts';

test('the snippets compile', () => {
  expect(snippets).toHaveLength(6);
  expect(compile(snippets)).toEqual([]);
});

describeWithServers('A snippet', () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await Servers.start();
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => servers.stop());

  // Workers run in processes of their own, which are killed: see killed-workers.test.ts.
  for (const snippet of snippets.filter((one) => !isWorker(one))) {
    test(`${snippet.file}:${snippet.line}`, async () => {
      expect(snippet.prints).toBeDefined();
      const begin = () => {
        vi.stubEnv('REDIS_URL', servers.redis.url);
        vi.stubEnv('DATABASE_URL', servers.postgres.url());
      };
      await runSnippet(snippet, { begin });
    });
  }
});
