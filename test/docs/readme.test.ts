import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linksOf } from '../support/links.ts';
import { guides, root } from './snippets.ts';

const read = (file: string) => readFileSync(root + file, 'utf8');

describe('The README', () => {
  const text = read('README.md');
  const [opening = '', ...sections] = text.split(/^## /m);
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

  test('has a picture, a command and a program on its first screen, and then the question whose service it is for', () => {
    expect(wordsBefore('![')).toBeLessThan(40);
    expect(wordsBefore('```sh')).toBeLessThan(60);
    expect(wordsBefore('sending.send(')).toBeLessThan(100);
    const parts = ['![', 'npm install', 'sending.send(', '| You get', '**Is it your service?**'];
    const places = parts.map((part) => opening.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('is short: three ways in of at most 25 lines of text, few links, and no long cells', () => {
    const linesOf = (section: string) => section.split('\n').filter((line) => line.trim() !== '').length;
    for (const name of ['I send', 'I test', 'I send a lot']) {
      const section = sections.find((one) => one.startsWith(`${name}\n`)) ?? '';
      expect(linesOf(section), name).toBeGreaterThan(10);
      expect(linesOf(section), name).toBeLessThanOrEqual(25);
    }
    expect(text.split('\n').length).toBeLessThanOrEqual(182);
    expect(text.match(/\]\(/g)?.length).toBeLessThanOrEqual(30);
    const cells = text.match(/(?<=\|)[^|\n]+(?=\|)/g) ?? [];
    expect(cells.filter((cell) => cell.trim().length > 80)).toEqual([]);
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
      (name) => name.endsWith('.ts') && name !== 'print.ts',
    );
    for (const name of examples) expect(index).toContain(`](../examples/${name})`);
    const listed = entries?.map((entry) => /\]\(([\w/-]+\.md)\): /.exec(entry)?.[1]);
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
