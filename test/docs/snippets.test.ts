import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hasRedisServer, NO_REDIS } from '../support/redis/redis-server.ts';
import { runSnippet } from './run-snippet.ts';
import { compile, extract, guides, isAsShown, root, write } from './snippets.ts';

const hasRedis = hasRedisServer();
if (!hasRedis) process.stderr.write(`\n*** The snippets that use Redis are SKIPPED. ${NO_REDIS}\n\n`);

const all = [...guides, 'AGENTS.md'].flatMap((file) => extract(file, readFileSync(root + file, 'utf8')));
const snippets = write(all.filter(({ peer }) => peer === undefined));

/** A page with a block for every mistake that the harness must report. */
const wrong = write(
  extract(
    'wrong.md',
    [
      '# Wrong',
      '```ts',
      "const campaign: string = await client.campaigns.get('7');",
      'console.log(campaign); // prints: this',
      '```',
      '```ts no-run: to see it read',
      'await client.campaigns.list();',
      '// throws: ApiError: a message …',
      '//   that goes on',
      '```',
      '',
      '```text',
      'one',
      'two',
      '```',
    ].join('\n'),
  ),
);

test('snippets compile, and mistakes in them are reported', () => {
  const problems = compile([...snippets, ...wrong]);
  const [first, ...others] = problems.filter((problem) => problem.startsWith('wrong.md'));
  expect(first).toMatch(/^wrong\.md:3: Type .* is not assignable to type 'string'/);
  expect(others).toEqual([expect.stringMatching(/^wrong\.md:3: Argument of type 'string'/)]);
  expect(problems.filter((problem) => !problem.startsWith('wrong.md'))).toEqual([]);
});

test('the comments about what a snippet prints or throws are read', () => {
  expect(wrong).toMatchObject([
    { line: 3, noRun: undefined, prints: ['this'], throws: undefined },
    {
      line: 7,
      noRun: 'to see it read',
      prints: ['one', 'two'],
      throws: 'ApiError: a message … that goes on',
    },
  ]);
  expect(() => extract('wrong.md', '```js\n```')).toThrow('wrong.md:1: write `ts`, not `js`');
  expect(() => extract('wrong.md', '```ts norun\n```')).toThrow('wrong.md:1: cannot read "norun"');
  expect(extract('a.md', '```ts peer: pino\n```')).toMatchObject([{ peer: 'pino', noRun: undefined }]);
  expect(isAsShown('id … of 3 (a)', 'id 12 of 3 (a)')).toBe(true);
  expect(isAsShown('id … of 3 (a)', 'id 12 of 4 (a)')).toBe(false);
  expect(isAsShown('abc', 'abcd')).toBe(false);
});

describe('snippets run', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  for (const snippet of snippets) {
    const { file, line, code, noRun } = snippet;
    const withRedis = code.includes("from 'email-platform/redis'");
    const isSkipped = noRun !== undefined || (withRedis && !hasRedis);
    test.skipIf(isSkipped)(`${file}:${line}`, async () => {
      // A random number of 0 makes waits with jitter end at once. Bottleneck needs real ones for names.
      const needsRandom = withRedis || code.includes("from 'bottleneck'");
      if (!needsRandom) vi.spyOn(Math, 'random').mockReturnValue(0);
      await runSnippet(snippet, { world: { withRedis } });
    });
  }
});
