import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CALLGRIND = ['--tool=callgrind', '--callgrind-out-file=/dev/null'];
const NODE = [process.execPath, '--single-threaded', '--hash-seed=42'];

/** Why no instructions are counted; undefined if they are. A count takes some ten seconds, so a smoke run has none. */
export function whyNotCounted(isSmoke: boolean): string | undefined {
  if (isSmoke) return 'instructions are not counted: a smoke run';
  const isInstalled = spawnSync('valgrind', ['--version']).status === 0;
  return isInstalled ? undefined : 'instructions are not counted: valgrind is not installed';
}

/**
 * The instructions of a process that runs a module, counted by callgrind: unlike times, they do not depend on the machine
 * and its load. One thread and a fixed seed of hashes let the same module repeat to 0.1 million.
 *
 * @param program - the source of an ES module, or of a CommonJS module where the name ends in `.cjs`
 */
export function instructionsOf(name: string, program: string, cwd: string): number {
  const file = join(cwd, name);
  writeFileSync(file, program);
  const { stderr } = spawnSync('valgrind', [...CALLGRIND, ...NODE, file], { cwd, encoding: 'utf8' });
  return collected(stderr);
}

/** The instructions that callgrind reports on stderr at the end of a process. */
export function collected(stderr: string): number {
  const [, count] = /Collected : (\d+)/.exec(stderr) ?? [];
  if (count === undefined) throw new Error(`callgrind has counted nothing: ${stderr}`);
  return Number(count);
}

/** The command of a Node process whose instructions are counted only while {@link count} has switched that on. */
export const countedOnDemand = (args: readonly string[]): [command: string, args: string[]] => [
  'valgrind',
  [...CALLGRIND, '--instr-atstart=no', ...NODE, ...args],
];

/** Switches counting on or off, in a process of {@link countedOnDemand}. */
export function count(pid: number, isOn: boolean): void {
  const { status, stderr } = spawnSync('callgrind_control', ['-i', isOn ? 'on' : 'off', String(pid)], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`callgrind_control failed for the process ${pid}: ${stderr}`);
}
