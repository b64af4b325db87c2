import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundledProgram } from '../../support/programs.ts';
import { WINDOW_MS } from './short-program-window.ts';

test('a call that waits for a job keeps the process alive; a job that waits for the end of its window does not', async () => {
  const program = bundledProgram(fileURLToPath(new URL('short-program.ts', import.meta.url)));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const { waitedMs, lingeredMs } = JSON.parse(stdout) as { waitedMs: number; lingeredMs: number };
  // The second call waited for the job of the first to end.
  expect(waitedMs).toBeGreaterThanOrEqual(WINDOW_MS);
  // The job of the second call would run for one more window.
  expect(lingeredMs).toBeLessThan(WINDOW_MS - 1_000);
});
