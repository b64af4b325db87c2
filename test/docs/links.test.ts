import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { brokenLinks } from '../support/links.ts';
import { guides, root } from './snippets.ts';

const decisions = readdirSync(`${root}docs/decisions`).map((name) => `docs/decisions/${name}`);

const others = ['AGENTS.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SKILL.md', 'docs/architecture.md'];

describe.each([...guides, ...decisions, ...others])('in %s', (file) => {
  test('every link leads somewhere', () => {
    expect(brokenLinks(root, file)).toEqual([]);
  });

  test('every test that is named is there', () => {
    const named = [...readFileSync(root + file, 'utf8').matchAll(/`(test\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(root + path))).toEqual([]);
  });
});
