import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installPacked, pack, root } from '../support/packed.ts';
import { install, installUndici, RUNTIMES, type Installed } from './runtimes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the packed tarball and the programs that use it. */
    programs: string;
    runtimes: readonly Installed[];
    /** Whether undici is installed beside the programs. */
    hasUndici: boolean;
  }
}

/** Installs the package and every runtime that can be had, in a temporary folder. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'email-platform-runtimes-'));
  const programs = installPacked(pack(), join(folder, 'programs'));
  cpSync(join(root, 'test/runtimes/programs'), programs, { recursive: true });
  const hasUndici = installUndici(programs);
  if (!hasUndici)
    process.stderr.write('\n*** The proxy agent of undici is SKIPPED: npm could not install it\n');
  project.provide('hasUndici', hasUndici);
  project.provide('programs', programs);
  const runtimes = RUNTIMES.map((runtime) => install(runtime, folder));
  for (const runtime of runtimes) {
    if ('reason' in runtime) process.stderr.write(`\n*** ${runtime.name} is SKIPPED: ${runtime.reason}\n`);
  }
  project.provide('runtimes', runtimes);
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
