import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ThrottleLimits } from '../../../src/core/throttle.ts';
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

/** Runs it until it ends by itself: what it printed, and how long that took. */
export async function runShortProgram(order: ShortOrder): Promise<{ output: string; ms: number }> {
  const file = fileURLToPath(new URL('short-program.ts', import.meta.url));
  const begun = performance.now();
  const args = ['--import', 'tsx', '--unhandled-rejections=strict', file, JSON.stringify(order)];
  const options = { env: plainEnv(), timeout: 20_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
  return { output: stdout + stderr, ms: performance.now() - begun };
}
