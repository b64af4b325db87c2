import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourcesOf } from '../support/sources.ts';

const root = join(import.meta.dirname, '../..');

/** Every docstring that a user of the client sees in an editor. */
const docstrings = sourcesOf('.')
  .filter(({ path }) => !/^src\/(testing|cli)\//.test(path))
  .flatMap(({ path }) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\/\*\*(?:(?!\*\/)[^])*\*\//g)].map(
      ([text]) => [path, text.replace(/\s+\*?\s*/g, ' ')] as const,
    ),
  );

test('docstrings are about the task: where a fact comes from is said in docs/trust/sources.md', () => {
  expect(docstrings).not.toEqual([]);
  const about = docstrings.filter(([, text]) => /specification|public (API )?reference/i.test(text));
  // A step beyond the specification is something to know when one calls it.
  expect(about.map(([path]) => path)).toEqual(['src/resources/sending-domains/sending-domains.ts']);
});

test('errors that every method may throw are listed once', () => {
  const saying = docstrings.filter(([, text]) => /every method may/i.test(text));
  expect(saying.map(([path]) => path)).toEqual(['src/client/client.ts']);
});
