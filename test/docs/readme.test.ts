import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linksOf } from '../support/links.ts';
import { guides, root } from './snippets.ts';

const read = (file: string) => readFileSync(root + file, 'utf8');

describe('The README', () => {
  const text = read('README.md');
  const [, ...sections] = text.split(/^## /m);
  /** The words before a mark. */
  const wordsBefore = (mark: string) => {
    const [before = '', ...after] = text.split(mark);
    expect(after, mark).not.toEqual([]);
    return before.split(/\s+/).length;
  };

  test('begins with the description of the package', () => {
    const { description } = JSON.parse(read('package.json')) as { readonly description: string };
    const [, first = ''] = /^# .+\n\n\*\*([^]+?)\*\*\n/.exec(text) ?? [];
    expect(first.replaceAll('\n', ' ')).toBe(description);
  });

  test('shows the client on its first screen, how to run a clone, and whose service it is for', () => {
    expect(wordsBefore('```sh')).toBeLessThan(60);
    expect(wordsBefore('sending.send(')).toBeLessThan(100);
    expect(wordsBefore('npm ci && npm start')).toBeLessThan(200);
    expect(wordsBefore('npm ci && npm test')).toBeLessThan(200);
    expect(wordsBefore('**Is it your service?**')).toBeLessThan(200);
  });

  test('is short, and shows the client before the emulator', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(130);
    expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(1300);
    expect(text.match(/\]\(/g)?.length).toBeLessThanOrEqual(30);
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      'Iterate',
      'Catch',
      'Limits',
      'Campaign and contacts',
      'Test',
      'Many emails, with keys',
      'Staging',
      'Where it runs',
      'Guides',
    ]);
  });

  test('leads to all methods, to the index by question, and to the example to begin with', () => {
    expect(linksOf(`${root}README.md`)).toEqual(
      expect.arrayContaining([
        'docs/methods.md',
        'docs/README.md',
        'docs/getting-started.md',
        'examples/tour.ts',
      ]),
    );
  });
});

describe('The index of guides', () => {
  const index = read('docs/README.md');
  /** The entries of guides, each with its questions. */
  const entries = index
    .split('\n## Examples')[0]
    ?.split(/^- (?=\[[^\]]*\]\([\w/-]+\.md\))/m)
    .slice(1);

  test('lists every guide once, and every example', () => {
    const examples = readdirSync(`${root}examples`).filter(
      (name) => /\.(?:py|ts)$/.test(name) && name !== 'print.ts',
    );
    for (const name of examples) expect(index).toContain(`](../examples/${name})`);
    const listed = entries?.map((entry) => /\]\(([\w/-]+\.md)\)\n/.exec(entry)?.[1]);
    const others = guides.filter((name) => !name.endsWith('README.md'));
    expect(listed?.toSorted()).toEqual(others.map((name) => name.replace('docs/', '')).toSorted());
  });

  test('has a question for every guide, and a link from every question to its answer', () => {
    for (const entry of entries ?? []) {
      const [guide = '', ...questions] = entry.split(/^ {2}- /m);
      expect(questions.length, guide).toBeGreaterThan(0);
      const [, file = ''] = /\]\(([\w/-]+\.md)\)/.exec(guide) ?? [];
      for (const question of questions) expect(question).toMatch(/^\[[^?]+\?\]\([\w/-]+\.md/);
      expect(questions.join(''), guide).toContain(`](${file}`);
    }
  });
});
