import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ThrottleLimits } from '../../../src/core/limits.ts';
import type { EmulatorConnection } from '../../../src/testing/index.ts';
import { plainEnv } from './workers.ts';

/** What the program is to do. */
export interface ShortOrder {
  /** Where Redis is. */
  readonly port: number;
  readonly connection: EmulatorConnection;
  readonly limits: ThrottleLimits;
  readonly calls: number;
}

/** What it printed, how long it took, and how long it lived after it had printed something. */
export interface ShortRun {
  readonly output: string;
  readonly ms: number;
  readonly afterwardsMs: number;
}

/** Runs it until it ends by itself. */
export async function runShortProgram(order: ShortOrder): Promise<ShortRun> {
  const file = fileURLToPath(new URL('short-program.ts', import.meta.url));
  const begun = performance.now();
  const args = ['--import', 'tsx', '--unhandled-rejections=strict', file, JSON.stringify(order)];
  const running = promisify(execFile)(process.execPath, args, { env: plainEnv(), timeout: 20_000 });
  let printedAt = begun;
  running.child.stdout?.on('data', () => (printedAt = performance.now()));
  const { stdout, stderr } = await running;
  const ended = performance.now();
  return { output: stdout + stderr, ms: ended - begun, afterwardsMs: ended - printedAt };
}
