import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

test.each(['nothing', 'the mock timers of Node', 'the timers of Vitest, Jest and Sinon', 'another Promise'])(
  'a client that was imported after this was replaced sends and reads: %s',
  async (what) => {
    const args = [path('../../node_modules/tsx/dist/cli.mjs'), path('programs/replaced-globals.ts'), what];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
    expect(stdout).toBe('[["1"],1,200]');
  },
);
