import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { runSnippet } from '../../docs/run-snippet.ts';
import { compile, root } from '../../docs/snippets.ts';
import { plainEnv } from '../../support/redis/workers.ts';
import { describeWithServers, Servers } from './servers.ts';
import { Service } from './service.ts';
import { isWorker, nodeForPgBoss, nodeOf, snippets, usesPgBoss } from './snippets.ts';

test('the snippets compile', () => {
  expect(snippets).toHaveLength(5);
  expect(compile(snippets)).toEqual([]);
});

describeWithServers('A snippet', () => {
  let servers: Servers;
  let service: Service;
  beforeAll(async () => {
    [servers, service] = await Promise.all([Servers.start(), Service.start()]);
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => Promise.all([servers.stop(), service.close()]));

  const variables = () => ({ REDIS_URL: servers.redis.url, DATABASE_URL: servers.postgres.url() });
  const programs = snippets.filter((one) => !isWorker(one));

  // Workers run in processes of their own, which are killed: see killed-workers.test.ts.
  for (const snippet of programs.filter(({ code }) => !usesPgBoss(code))) {
    test(`${snippet.file}:${snippet.line}`, async () => {
      expect(snippet.prints).toBeDefined();
      const begin = () => {
        for (const [name, value] of Object.entries(variables())) vi.stubEnv(name, value);
      };
      await runSnippet(snippet, { begin });
    });
  }

  for (const { file, line, code, path, prints } of programs.filter((one) => usesPgBoss(one.code))) {
    test.skipIf(nodeForPgBoss === undefined)(`${file}:${line}, in its Node`, async () => {
      const env = { ...plainEnv(), ...service.env, ...variables() };
      const options = { cwd: root, env };
      const { stdout } = await promisify(execFile)(nodeOf(path), ['--import', 'tsx', path], options);
      expect(stdout.trim().split('\n'), code).toEqual(prints);
    });
  }
});
