import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ThrottleLimits } from '../../../src/core/limits.ts';
import type { Emulator } from '../../../src/testing/index.ts';
import { bundledProgram } from '../programs.ts';
import { plainEnv } from './workers.ts';

/** The program's input. */
export interface ShortOrder {
  /** The port of Redis. */
  readonly port: number;
  readonly connection: Emulator.Connection;
  readonly limits: ThrottleLimits;
  readonly calls: number;
}

/** What the program printed, how long it ran, and how long it ran after its last output. */
export interface ShortRun {
  readonly output: string;
  readonly ms: number;
  readonly afterwardsMs: number;
}

/** Runs the program until it exits by itself. */
export async function runShortProgram(order: ShortOrder): Promise<ShortRun> {
  const file = bundledProgram(fileURLToPath(new URL('short-program.ts', import.meta.url)));
  const begun = performance.now();
  const args = ['--unhandled-rejections=strict', file, JSON.stringify(order)];
  const running = promisify(execFile)(process.execPath, args, { env: plainEnv(), timeout: 120_000 });
  let printedAt = begun;
  running.child.stdout?.on('data', () => (printedAt = performance.now()));
  const { stdout, stderr } = await running;
  const ended = performance.now();
  return { output: stdout + stderr, ms: ended - begun, afterwardsMs: ended - printedAt };
}
