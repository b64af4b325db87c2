import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's own folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

function npm(args: readonly string[], cwd: string): void {
  // With a shell, which also finds npm's launcher on Windows.
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/** The inputs of the build and the tarball. */
const FOLDERS = ['src', 'docs', 'examples', '.ci'];
const FILES = [
  'package.json',
  'package-lock.json',
  'tsup.config.ts',
  'tsconfig.json',
  'README.md',
  'AGENTS.md',
  'SKILL.md',
  'CHANGELOG.md',
  'LICENSE',
];

/** A hash of these inputs. */
function contentHash(): string {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !path.startsWith(join(root, 'docs/reference')))
      // It is not in the tarball, and has packages of its own.
      .filter((path) => !path.startsWith(join(root, 'examples/shop')))
      .sort(),
  );
  const hash = createHash('sha256');
  for (const path of [...FILES.map((file) => join(root, file)), ...inFolders])
    hash.update(path).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

/** Whether a process runs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Makes something while no other process does: all builds write `dist`, and the pages change while they are packed. */
function alone(make: () => void): void {
  const claim = join(root, '.tmp/packing');
  mkdirSync(join(root, '.tmp'), { recursive: true });
  for (;;) {
    try {
      writeFileSync(claim, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      const holder = existsSync(claim) ? Number(readFileSync(claim, 'utf8')) : 0;
      // A killed process leaves its claim.
      if (!isRunning(holder)) rmSync(claim, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  try {
    make();
  } finally {
    rmSync(claim, { force: true });
  }
}

/** Builds and packs the package, unless a tarball of the same files exists; returns its path. */
export function pack(): string {
  const parent = join(root, '.tmp/packed');
  let found: string | undefined;
  // The hash, too: it would be another one while the pages change.
  alone(() => {
    const hash = contentHash();
    const folder = join(parent, hash);
    // Tests of the package also read the lists of bundled files beside the build.
    const made = () =>
      existsSync(folder) && existsSync(join(root, '.tmp/bundled'))
        ? readdirSync(folder).find((file) => file.endsWith('.tgz'))
        : undefined;
    if (made() === undefined) {
      for (const other of existsSync(parent) ? readdirSync(parent) : [])
        if (other !== hash) rmSync(join(parent, other), { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      npm(['pack', '--pack-destination', folder], root);
    }
    const name = made();
    if (name !== undefined) found = join(folder, name);
  });
  if (found === undefined) throw new Error('npm pack made no tarball');
  return found;
}

/** Installs the tarball in a new folder, without the network, because it has no dependencies. Returns the folder. */
export function installPacked(tarball: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  npm(['install', tarball, '--offline', '--ignore-scripts'], folder);
  return folder;
}
