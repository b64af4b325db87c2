import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, inject, test } from 'vitest';
import { isLeftOut } from '../../.ci/repository.mjs';
import { brokenLinks, linksOf } from '../support/links.ts';
import { root } from '../support/packed.ts';

const installed = join(inject('consumer'), 'node_modules/email-platform');
const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.md'),
);

test('the README of the tarball leads to guides and examples', () => {
  const links = linksOf(join(installed, 'README.md'));
  for (const link of ['docs/getting-started.md', 'examples/tour.ts', 'LICENSE'])
    expect(links).toContain(link);
});

test.each(pages)(
  'every link of %s leads to a file of the tarball, or to one that the tarball leaves out',
  (file) => {
    const leftOut = (link: string) => isLeftOut(posix.join(dirname(file), link.replace(/#.*/, '')));
    expect(brokenLinks(installed, file).filter((link) => !leftOut(link))).toEqual([]);
    expect(brokenLinks(root, file)).toEqual([]);
  },
);

test('the tarball leaves out pictures and large generated tables, and nothing else of docs', () => {
  const all = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  );
  const inRepository = all.filter(
    (name) => !/^docs\/(architecture|decisions|reference)/.test(name) && /\.\w+$/.test(name),
  );
  expect(inRepository.filter((name) => !existsSync(join(installed, name)) !== isLeftOut(name))).toEqual([]);
});
