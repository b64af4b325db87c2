import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '../..');
const IMPORT = /(?:\bfrom|\bimport\(?)\s*'([^']+)'/g;
const isTest = (path: string) => path.endsWith('.test.ts');

/** Every source file, and the files that it imports. */
function imports(): Map<string, string[]> {
  const files = ['src', 'test', 'examples']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(root, folder, name),
      ),
    )
    .filter((path) => /\.tsx?$/.test(path));
  const resolved = (specifier: string, from: string) => {
    if (specifier.startsWith('.')) return join(dirname(from), specifier);
    const [, entry] = /^email-platform(?:\/(.+))?$/.exec(specifier) ?? [];
    const candidates = specifier.startsWith('email-platform')
      ? [`${entry ?? '.'}/index.ts`, `${entry ?? '.'}.ts`]
      : [];
    return candidates.map((path) => join(root, 'src', path)).find((path) => known.has(path));
  };
  const known = new Set(files);
  return new Map(
    files.map((path) => [
      path,
      [...readFileSync(path, 'utf8').matchAll(IMPORT)].flatMap(
        ([, specifier = '']) => resolved(specifier, path) ?? [],
      ),
    ]),
  );
}

/** The tests that reach a file, each with the number of imports from it to there. */
function distancesFrom(file: string): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const [path, all] of imports()) {
    for (const imported of all) importers.set(imported, [...(importers.get(imported) ?? []), path]);
  }
  const distances = new Map([[file, 0]]);
  for (const [path, distance] of distances) {
    for (const importer of importers.get(path) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return new Map([...distances].filter(([path]) => isTest(path)));
}

/** Tests that read files instead of importing them. */
const READERS: readonly (readonly [changed: RegExp, tests: string])[] = [
  [/^(README|docs\/.*)\.md$/, 'test/docs'],
];

/**
 * For `npm run test:watch`: the tests that a changed file can affect, and a sequencer that runs the nearest of them
 * first. A test named after the file comes before all others; then the test with the fewest imports in between.
 */
export function nearestTests() {
  const rank = new Map<string, number>();
  return {
    testsToRun: (changed: string): string[] | undefined => {
      const found = distancesFrom(changed);
      for (const [pattern, folder] of READERS) {
        if (!pattern.test(relative(root, changed))) continue;
        for (const name of readdirSync(join(root, folder)).filter(isTest))
          found.set(join(root, folder, name), 1);
      }
      if (found.size === 0) return undefined;
      const [name = ''] = basename(changed).split('.');
      rank.clear();
      for (const [path, distance] of found)
        rank.set(path, basename(path).startsWith(`${name}.`) ? 0 : distance);
      return [...found.keys()];
    },
    Sequencer: class extends BaseSequencer {
      override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
        const sorted = await super.sort(files);
        const rankOf = ({ moduleId }: TestSpecification) => rank.get(moduleId) ?? 0;
        return sorted.sort((one, other) => rankOf(one) - rankOf(other));
      }
    },
  };
}
