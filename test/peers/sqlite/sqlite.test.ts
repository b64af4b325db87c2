import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { databasesHere, newerNode } from '../../support/databases.ts';
import { bundledProgram } from '../../support/programs.ts';

const program = bundledProgram(join(import.meta.dirname, 'program.ts'));

// In a process of its own: node:sqlite may need a newer Node than the one that runs the tests.
describe('A journal in a database', () => {
  const newer = newerNode();
  const here = [
    ...databasesHere(),
    ...(newer === undefined ? [] : [{ name: 'better-sqlite3-13', node: newer }]),
  ];
  test.skipIf(here.length === 0).each(here)('of $name', ({ name, node }) => {
    const words = ['--disable-warning=ExperimentalWarning', program, name];
    const { passed, failed } = JSON.parse(execFileSync(node, words, { encoding: 'utf8' })) as {
      readonly passed: number;
      readonly failed: readonly string[];
    };
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(30);
  });
});
