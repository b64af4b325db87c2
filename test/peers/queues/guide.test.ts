import { format } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openWorld } from '../../docs/ambient.ts';
import { asShown, compile } from '../../docs/snippets.ts';
import { isWorker, snippets } from './snippets.ts';
import { describeWithServers, Servers } from './servers.ts';

test('the snippets compile', () => {
  expect(snippets).toHaveLength(7);
  expect(compile(snippets)).toEqual([]);
});

describeWithServers('A snippet', () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await Servers.start();
  });
  afterAll(() => servers.stop());

  // Workers run in processes of their own, which are killed: see killed-workers.test.ts.
  for (const { file, line, path, prints } of snippets.filter((one) => !isWorker(one))) {
    test(`${file}:${line}`, async () => {
      const printed: string[] = [];
      vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
        printed.push(...format(...values).split('\n'));
      });
      const close = await openWorld();
      vi.stubEnv('REDIS_URL', servers.redis.url);
      vi.stubEnv('DATABASE_URL', servers.postgres.url());
      try {
        await import(/* @vite-ignore */ path);
      } finally {
        await close();
        vi.restoreAllMocks();
      }
      expect(printed.map((text, index) => asShown(prints?.[index], text))).toEqual(prints);
    });
  }
});
