import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { brokenLinks, linksOf } from '../support/links.ts';

const installed = join(inject('consumer'), 'node_modules/email-platform');
const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.md'),
);

test('the README of the tarball leads to guides and examples', () => {
  const links = linksOf(join(installed, 'README.md'));
  for (const link of ['docs/getting-started.md', 'examples/tour.ts', 'docs/images/rate-limit.svg', 'LICENSE'])
    expect(links).toContain(link);
});

test.each(pages)('every link of %s leads to a file of the tarball', (file) => {
  expect(brokenLinks(installed, file)).toEqual([]);
});
