import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installPacked, pack, root } from '../../support/packed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The tarball, built for this run. */
    tarball: string;
    /** An otherwise empty folder it is installed in. */
    consumer: string;
    /** The same, with every optional peer installed beside it. */
    consumerWithPeers: string;
  }
}

const PEERS = ['@opentelemetry', 'bottleneck', 'ioredis', 'msw', 'zod'];

/** Installs the tarball where there is nothing else, and once more beside the optional peers. */
export default (project: TestProject): (() => void) => {
  const tarball = pack();
  const folder = mkdtempSync(join(tmpdir(), 'email-platform-'));
  project.provide('tarball', tarball);
  const consumer = installPacked(tarball, join(folder, 'consumer'));
  project.provide('consumer', consumer);
  const consumerWithPeers = join(folder, 'consumer-with-peers');
  cpSync(consumer, consumerWithPeers, { recursive: true });
  for (const peer of PEERS) {
    symlinkSync(join(root, 'node_modules', peer), join(consumerWithPeers, 'node_modules', peer), 'junction');
  }
  project.provide('consumerWithPeers', consumerWithPeers);
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
};
