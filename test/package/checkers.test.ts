import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { root } from '../support/packed.ts';

/** What a checker of `test/peers/package-checkers` says about the tarball; throws when it finds a mistake. */
const run = (script: string, args: readonly string[]) =>
  execFileSync(process.execPath, [join(root, 'test/peers/package-checkers/node_modules', script), ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  });

test('publint finds nothing', () => {
  expect(run('publint/src/cli.js', ['run', inject('tarball'), '--strict'])).toContain('All good');
});

test('attw finds nothing', () => {
  // Node 10 itself knows no `exports`, so for it there are no subpaths; compilers.test.ts has the types as found that way.
  const args = [inject('tarball'), '--profile', 'node16', '--no-color'];
  expect(run('@arethetypeswrong/cli/dist/index.js', args)).toContain('node16');
});
