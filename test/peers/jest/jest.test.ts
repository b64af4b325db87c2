import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { pack, root } from '../../support/packed.ts';

test('the built package under the fake timers of Jest', () => {
  pack();
  // The tarball is kept, the folder that it was packed from may be gone.
  if (!existsSync(join(root, 'dist/index.cjs'))) execFileSync('npm', ['run', 'build'], { cwd: root });
  const jest = join(import.meta.dirname, 'node_modules/jest/bin/jest.js');
  execFileSync(process.execPath, [jest], { cwd: import.meta.dirname, stdio: 'pipe' });
});
