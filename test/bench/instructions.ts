import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether this machine counts instructions. */
export const countsInstructions = (): boolean => spawnSync('valgrind', ['--version']).status === 0;

/**
 * The instructions of a process that runs a module, counted by callgrind: unlike times, they do not depend on the machine
 * and its load. One thread and a fixed seed of hashes let the same module repeat to 0.1 million.
 *
 * @param program - the source of an ES module, or of a CommonJS module where the name ends in `.cjs`
 */
export function instructionsOf(name: string, program: string, cwd: string): number {
  const file = join(cwd, name);
  writeFileSync(file, program);
  const node = [process.execPath, '--single-threaded', '--hash-seed=42', file];
  const { stderr } = spawnSync('valgrind', ['--tool=callgrind', '--callgrind-out-file=/dev/null', ...node], {
    cwd,
    encoding: 'utf8',
  });
  const [, count] = /Collected : (\d+)/.exec(stderr) ?? [];
  if (count === undefined) throw new Error(`callgrind has counted nothing: ${stderr}`);
  return Number(count);
}
