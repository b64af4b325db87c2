import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { newerNode } from '../../support/databases.ts';
import { isRest } from '../../support/extent.ts';
import { ROWS } from './rows.ts';
import { treeWith } from './tree.ts';

const here = import.meta.dirname;
const versionIn = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

/** The variables of this process without those of its Vitest. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITE|TINYPOOL)/.test(name)),
);

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

async function run(node: string, tree: string, tests: readonly string[]): Promise<Report> {
  const file = join(tree, 'report.json');
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/peers/majors/vitest.config.ts'];
  const report = ['--reporter=json', `--outputFile=${file}`];
  // It ends with 1 if a test fails: the report says which.
  await promisify(execFile)(node, [...words, ...report, ...tests], { cwd: tree, env }).catch(
    (error: unknown) => {
      if ((error as { code?: unknown }).code !== 1) throw error;
    },
  );
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

// Each night, and not in `.ci/run`, which has 20 minutes.
describe.each(ROWS)('$folder', ({ peer, folder, installedIn = 'majors', isNewer, users, tests }) => {
  const from = join(here, '..', installedIn, 'node_modules', folder);
  const node = isNewer ? newerNode() : process.execPath;
  if (node === undefined)
    process.stderr.write(
      `\n*** The tests with ${folder} are SKIPPED: they need Node 22 or test/peers/newer-node\n`,
    );

  test.skipIf(node === undefined || isRest)(tests.join(', '), { timeout: 1_800_000 }, async () => {
    const tree = treeWith(folder, peer, from, users);
    // Of the peer, and not of another copy.
    expect(versionIn(join(tree, 'node_modules', peer))).toBe(versionIn(from));
    const { numPassedTests, testResults } = await run(node ?? '', tree, tests);
    const failed = testResults.flatMap(({ name, message, assertionResults }) => [
      ...(message === '' ? [] : [`${name}: ${message}`]),
      ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ]);
    expect(failed).toEqual([]);
    expect(numPassedTests).toBeGreaterThan(0);
  });
});
