import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Everything that the build and the tarball are made of. */
const FOLDERS = ['src', 'docs', 'examples', '.ci'];
const FILES = [
  'package.json',
  'package-lock.json',
  'tsup.config.ts',
  'tsconfig.json',
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'LICENSE',
];

/** A hash of all of that. */
function contentHash(): string {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !path.startsWith(join(root, 'docs/reference')))
      .sort(),
  );
  const hash = createHash('sha256');
  for (const path of [...FILES.map((file) => join(root, file)), ...inFolders])
    hash.update(path).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Builds and packs the package; returns the tarball's path. It is built once: a tarball that was made of the same
 * files before is returned as it is.
 */
export function pack(): string {
  const folder = join(root, '.tmp/packed', contentHash());
  const made = () =>
    existsSync(folder) ? readdirSync(folder).find((file) => file.endsWith('.tgz')) : undefined;
  // What the bundler used is beside the build, and a part of what the tests look at.
  if (made() === undefined || !existsSync(join(root, '.tmp/bundled'))) {
    rmSync(join(root, '.tmp/packed'), { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    npm(['pack', '--pack-destination', folder], root);
  }
  const name = made();
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
