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

  test('has no table whose cells nobody reads to the end', () => {
    const cells = read('README.md').match(/(?<=\|)[^|\n]+(?=\|)/g) ?? [];
    expect(cells.filter((cell) => cell.trim().length > 120)).toEqual([]);
  });
});

describe('The index by question', () => {
  const [byQuestion = '', byName = ''] = read('docs/README.md').split('## All guides');

  test('lists every guide and every example by name', () => {
    const examples = readdirSync(`${root}examples`).filter(
      (name) => name.endsWith('.ts') && name !== 'print.ts',
    );
    const others = guides.filter((name) => !name.endsWith('README.md'));
    for (const file of [
      ...others.map((name) => name.replace('docs/', '')),
      ...examples.map((name) => `../examples/${name}`),
    ])
      expect(byName).toContain(`](${file})`);
  });

  test('has an answer for every question, and a question for every guide', () => {
    const questions = byQuestion.split(/^- /m).slice(1);
    expect(questions.length).toBeGreaterThan(30);
    for (const question of questions) expect(question).toMatch(/^[^?]+\?\s[^]*\]\([\w-]+\.md/);
    const answered = new Set([...byQuestion.matchAll(/\]\(([\w-]+\.md)/g)].map(([, guide]) => guide));
    const unasked = guides.filter((name) => name.startsWith('docs/') && name !== 'docs/README.md');
    expect(unasked.filter((name) => !answered.has(name.replace('docs/', '')))).toEqual([]);
  });
});
