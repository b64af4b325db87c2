import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's own folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

function npm(args: readonly string[], cwd: string): void {
  // A shell finds npm's own launcher on Windows too.
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/** Builds and packs the package; returns the tarball's path. */
export function pack(folder: string): string {
  npm(['pack', '--pack-destination', folder], root);
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack made no tarball');
  return join(folder, name);
}

/** Installs the tarball in a new folder, without the network: it needs nothing else. Returns the folder. */
export function installPacked(tarball: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  npm(['install', tarball, '--offline', '--ignore-scripts'], folder);
  return folder;
}
