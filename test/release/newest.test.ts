import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brokenBy, installLines, installsIn, reportOf } from '../../.ci/newest.mjs';
import { guides, root } from '../docs/snippets.ts';

const lines = guides.flatMap((file) => installLines(file, readFileSync(root + file, 'utf8')));

test('every install line of the guides is found, with its packages and the folders of the programs under it', () => {
  const count = guides.flatMap(
    (file) => readFileSync(root + file, 'utf8').match(/npm install /g) ?? [],
  ).length;
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.length).toBeLessThanOrEqual(count);
  const ofPgBoss = lines.find(({ packages }) => packages.includes('pg-boss'));
  expect(ofPgBoss).toMatchObject({
    file: 'docs/queues.md',
    packages: ['pg-boss', 'pg', 'ioredis'],
    peers: ['queues'],
  });
  expect(lines.flatMap((line) => line.packages)).toContain('@opentelemetry/api');
  expect(lines.filter((line) => line.isApplication).map(({ file }) => file)).toEqual(['docs/templates.md']);
});

/** Versions, of which the broken ones fail where they are installed. */
function world(broken: readonly string[], isSound = true) {
  let newest: readonly string[] = [];
  const restores: number[] = [];
  return {
    restores,
    install: (some: readonly string[]) => ((newest = some), true),
    passes: () => isSound && !newest.some((name) => broken.includes(name)),
    restore: () => {
      newest = [];
      restores.push(1);
    },
  };
}
const packages = ['a', 'b', 'c'];

test.each([
  [[], []],
  [['b'], ['b']],
  [
    ['a', 'c'],
    ['a', 'c'],
  ],
])('of %j, the broken packages are named: %j', (broken, named) => {
  const commands = world(broken);
  expect(brokenBy({ packages }, commands)).toEqual(named);
  expect(commands.restores.length).toBeGreaterThan(0);
});

test('packages that break only together are named together, and programs that fail without them are another matter', () => {
  let count = 0;
  const together = {
    install: (some: readonly string[]) => ((count = some.length), true),
    passes: () => count < 3,
    restore: () => void (count = 0),
  };
  expect(brokenBy({ packages }, together)).toEqual(packages);
  expect(() => brokenBy({ packages }, world([], false))).toThrow('fail with the versions of the tests, too');
});

test('one command installs all packages of a folder: a second one would undo the first', () => {
  const packages = [
    { name: 'pg-boss', folder: 'test/peers/queues', version: 'latest' },
    { name: 'tsx', folder: '.', version: 'latest' },
    { name: 'pg', folder: 'test/peers/queues', version: '8.0.0' },
  ];
  expect(installsIn(packages)).toEqual([
    ['test/peers/queues', ['pg-boss@latest', 'pg@8.0.0']],
    ['.', ['tsx@latest']],
  ]);
});

test('the report opens with the name of the package that broke', () => {
  const [first, second] = lines.map((line, index) => ({ ...line, broken: index === 1 ? ['pg-boss'] : [] }));
  if (first === undefined || second === undefined) throw new Error('no lines');
  expect(reportOf([first, second])).toMatch(/^pg-boss: breaks the programs under .*\npassed: /);
});
