import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hasRedisServer, NO_REDIS } from '../support/redis/redis-server.ts';
import { runSnippet } from './run-snippet.ts';
import { compile, extract, isAsShown, root, write, writeGuides } from './snippets.ts';

const hasRedis = hasRedisServer();
if (!hasRedis) process.stderr.write(`\n*** The snippets that use Redis are SKIPPED. ${NO_REDIS}\n\n`);

const snippets = writeGuides();

/** A page with a block for every mistake that the harness must report. Without the package, it compiles quickly. */
const wrong = write(
  extract(
    'wrong.md',
    [
      '# Wrong',
      '```ts',
      'const address: string = new URL(7);',
      'console.log(address); // prints: this',
      '```',
      '```ts no-run: to see it read',
      'await Promise.resolve(7);',
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
  `${root}.tmp/wrong-snippets/`,
);

test('the typecheck compiles every snippet', () => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    readonly config: unknown;
  };
  const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  expect(fileNames).toEqual(expect.arrayContaining(snippets.map(({ path }) => path)));
  // In a fresh checkout, no test has written them before.
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts.typecheck).toMatch(/^tsx test\/docs\/write-guides\.ts && /);
});

test('mistakes in snippets are reported, with the line of the guide', () => {
  const [first, ...others] = compile(wrong);
  expect(first).toMatch(/^wrong\.md:3: Type 'URL' is not assignable to type 'string'/);
  expect(others).toEqual([expect.stringMatching(/^wrong\.md:3: Argument of type 'number'/)]);
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
