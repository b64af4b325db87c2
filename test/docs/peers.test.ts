import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withRows } from '../support/written-rows.ts';
import { root } from './snippets.ts';

const GUIDE = join(root, 'docs/workers.md');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

const { peerDependencies = {}, devDependencies = {} } = manifestIn(root);
/** Packages that no entry imports, and that guides and tests use with this one. */
const OTHERS = ['better-sqlite3', 'pg', 'express', 'fastify', 'hono', 'next', 'vitest', 'jest'];

const peers = join(root, 'test/peers');
/** What the tests run with: each package with its version, also under another name. */
const installed: (readonly [name: string, version: string])[] = [
  devDependencies,
  ...readdirSync(peers)
    .map((name) => join(peers, name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .flatMap((folder) => [manifestIn(folder).dependencies ?? {}, manifestIn(folder).devDependencies ?? {}]),
].flatMap((packages) =>
  Object.entries(packages).map(([name, version]) => {
    const [, alias, aliased] = /^npm:(.+)@(.+)$/.exec(version) ?? [];
    return [alias ?? name, aliased ?? version] as const;
  }),
);

const numbers = (version: string) => version.split('.').map(Number) as [number, number, number];
const older = (one: string, other: string) => {
  const [a, b] = [numbers(one), numbers(other)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
};

/** Majors, and the oldest version of the first: patches come every week. */
function versionsOf(name: string): string {
  const versions = installed.filter(([each]) => each === name).map(([, version]) => version);
  const [oldest = ''] = versions.sort(older);
  const majors = [...new Set(versions.map((version) => numbers(version)[0]))];
  return [oldest, ...majors.slice(1)].join(', ');
}

test('the table of peers has the ranges of package.json, and the versions of the tests', async () => {
  const rows = [...Object.keys(peerDependencies), ...OTHERS].map((name) => {
    const range = peerDependencies[name];
    return `| \`${name}\` | ${range === undefined ? '' : `\`${range.replaceAll('||', 'or')}\``} | ${versionsOf(name)} |`;
  });
  const head = [
    '| package | accepted | tested: the oldest version, and further majors |',
    '| --- | --- | --- |',
  ];
  const guide = await withRows(readFileSync(GUIDE, 'utf8'), 'peers', [...head, ...rows]);
  await expect(guide).toMatchFileSnapshot(GUIDE);
});

test('the tests run with the lowest version of every range', () => {
  for (const [name, range] of Object.entries(peerDependencies)) {
    const [, lowest] = /(\d+\.\d+\.\d+)/.exec(range) ?? [];
    expect(installed).toContainEqual([name, lowest]);
  }
});
