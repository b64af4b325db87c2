import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linksOf } from '../support/links.ts';
import { resourceMethods } from '../support/resource-methods.ts';
import { guides, root } from './snippets.ts';

const read = (file: string) => readFileSync(root + file, 'utf8');
const client = new EmailPlatform(createEmulator().clientOptions());
const methods = resourceMethods(client).map(({ name }) => name);

describe('The README', () => {
  /** The items of "What it does", a line each. */
  const [, , areas = ''] = /^## What it does\n(\n?)([^]*?)\n## /m.exec(read('README.md')) ?? [];
  const items = areas.split(/^- /m).slice(1);

  test('names every area of the client, with its guide, and what the client has besides', () => {
    const names = [...new Set(methods.map((name) => name.replace(/\..*/, '')))];
    expect(names).toContain('campaigns');
    const own = Object.getOwnPropertyNames(EmailPlatform.prototype).filter((name) => name !== 'constructor');
    for (const name of [...names, ...own, 'limits']) {
      const item = items.find((text) => text.includes(`\`${name}\``)) ?? `no item with ${name}`;
      expect(item).toMatch(/\]\(docs\/[\w-]+\.md(#[\w-]+)?\)/);
    }
  });

  test('begins with the description of the package', () => {
    const { description } = JSON.parse(read('package.json')) as { readonly description: string };
    const [, first = ''] = /^# .+\n\n\*\*([^]+?)\*\*\n/.exec(read('README.md')) ?? [];
    expect(first.replaceAll('\n', ' ')).toBe(description);
  });

  test('leads to all methods, to the index by question, and to the example to begin with', () => {
    const links = linksOf(`${root}README.md`);
    expect(links).toEqual(
      expect.arrayContaining([
        'docs/methods.md',
        'docs/README.md',
        'docs/getting-started.md',
        'examples/tour.ts',
      ]),
    );
  });

  test('names every import, each in one of two tables: four that most programs need, and the optional parts', () => {
    const { exports } = JSON.parse(read('package.json')) as { readonly exports: object };
    const imports = Object.keys(exports).map((path) => path.replace('.', 'email-platform'));
    const [, most = '', optional = ''] =
      /^## Entry points\n([^]*?)\n### Optional parts\n([^]*?)\n## /m.exec(read('README.md')) ?? [];
    const namesOf = (table: string) => [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
    expect(namesOf(most)).toHaveLength(4);
    expect([...namesOf(most), ...namesOf(optional)].toSorted()).toEqual(imports.toSorted());
  });

  test('has no table with long cells', () => {
    const cells = read('README.md').match(/(?<=\|)[^|\n]+(?=\|)/g) ?? [];
    expect(cells.filter((cell) => cell.trim().length > 120)).toEqual([]);
  });
});

describe('The index of guides', () => {
  const index = read('docs/README.md');
  /** The entries of guides, each with its questions. */
  const entries = index
    .split('\n## Examples')[0]
    ?.split(/^- (?=\[[^\]]*\]\([\w-]+\.md\))/m)
    .slice(1);

  test('lists every guide once, and every example', () => {
    const examples = readdirSync(`${root}examples`).filter(
      (name) => name.endsWith('.ts') && name !== 'print.ts',
    );
    for (const name of examples) expect(index).toContain(`](../examples/${name})`);
    const listed = entries?.map((entry) => /\]\(([\w-]+\.md)\): /.exec(entry)?.[1]);
    const others = guides.filter((name) => !name.endsWith('README.md'));
    expect(listed?.toSorted()).toEqual(others.map((name) => name.replace('docs/', '')).toSorted());
  });

  test('has a question for every guide, and a link to an answer for every question', () => {
    for (const entry of entries ?? []) {
      const [guide = '', ...questions] = entry.split(/^ {2}- /m);
      expect(questions.length, guide).toBeGreaterThan(0);
      const [, file = ''] = /\]\(([\w-]+\.md)\)/.exec(guide) ?? [];
      for (const question of questions) expect(question).toMatch(/^[^?]+\?\s[^]*\]\([\w-]+\.md/);
      expect(questions.join(''), guide).toContain(`](${file}`);
    }
  });
});
