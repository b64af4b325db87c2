import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, inject, test } from 'vitest';
import { isLeftOut } from '../../.ci/repository.mjs';
import { brokenLinks, linksOf } from '../support/links.ts';
import { root } from '../support/packed.ts';

const installed = join(inject('consumer'), 'node_modules/email-platform');
const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.md'),
);

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly repository?: unknown;
};
const leftOutOf = (file: string) =>
  linksOf(join(root, file)).filter((link) => isLeftOut(posix.join(dirname(file), link)));

test('the README of the tarball leads to guides and examples', () => {
  const links = linksOf(join(installed, 'README.md'));
  for (const link of ['docs/getting-started.md', 'examples/tour.ts', 'LICENSE'])
    expect(links).toContain(link);
});

test.each(pages)('every relative link of %s leads to a file of the tarball', (file) => {
  // Once a release has written an address, pictures have it.
  const released = manifest.repository === undefined ? [] : leftOutOf(file);
  expect(brokenLinks(installed, file).filter((link) => !released.includes(link))).toEqual([]);
  expect(brokenLinks(root, file)).toEqual([]);
});

test('the tarball leaves out pictures, and nothing else of docs', () => {
  const all = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  );
  const inRepository = all.filter(
    (name) => !/^docs\/(architecture|decisions|reference)/.test(name) && /\.\w+$/.test(name),
  );
  expect(inRepository.filter((name) => !existsSync(join(installed, name)) !== isLeftOut(name))).toEqual([]);
});
