import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a call that waits for a job keeps the process alive; a job that waits for the end of its window does not', async () => {
  const program = fileURLToPath(new URL('short-program.ts', import.meta.url));
  const running = promisify(execFile)(process.execPath, ['--import', 'tsx', program], { timeout: 20_000 });
  let printedAt = NaN;
  running.child.stdout?.once('data', () => (printedAt = performance.now()));
  const { stdout } = await running;
  // The second call waited for the job of the first to end.
  expect(Number(stdout)).toBeGreaterThanOrEqual(2_000);
  // The job of the second call would run for two more seconds.
  expect(performance.now() - printedAt).toBeLessThan(1_000);
}, 30_000);
