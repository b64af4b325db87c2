import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installPacked, pack } from '../support/packed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The tarball, built for this run. */
    tarball: string;
    /** An otherwise empty folder it is installed in. */
    consumer: string;
  }
}

/** Builds the package, packs it, and installs it where there is nothing else. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'email-platform-'));
  const tarball = pack(folder);
  project.provide('tarball', tarball);
  project.provide('consumer', installPacked(tarball, join(folder, 'consumer')));
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
