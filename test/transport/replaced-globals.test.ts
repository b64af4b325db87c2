import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundledProgram } from '../support/programs.ts';

const bundled = (path: string) => bundledProgram(fileURLToPath(new URL(path, import.meta.url)));
const program = bundled('programs/replaced-globals.ts');
/** In a file of its own, so that the program imports it, and the packages that it needs, after the replacement. */
const library = pathToFileURL(bundled('../../src/index.ts')).href;

test.each(['nothing', 'the mock timers of Node', 'the timers of Vitest, Jest and Sinon', 'another Promise'])(
  'a client that was imported after this was replaced sends and reads: %s',
  async (what) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, what, library], {
      timeout: 120_000,
    });
    expect(stdout).toBe('[["1"],1,200]');
  },
);
