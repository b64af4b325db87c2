import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newerNode } from '../../support/databases.ts';
import { isRest } from '../../support/extent.ts';
import { pack, root } from '../../support/packed.ts';

const here = import.meta.dirname;
const { satisfies, minVersion } = createRequire(import.meta.url)('semver') as {
  readonly satisfies: (version: string, range: string) => boolean;
  readonly minVersion: (range: string) => { readonly version: string };
};
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
};
const peers = Object.entries(manifest.peerDependencies);

/** The program of each installer, and its words that resolve versions without installing. */
const INSTALLERS = [
  ['npm 10', 'npm-10/bin/npm-cli.js', ['install', '--package-lock-only']],
  ['npm 11', 'npm-11/bin/npm-cli.js', ['install', '--package-lock-only']],
  ['pnpm 10', 'pnpm-10/bin/pnpm.cjs', ['add', '--lockfile-only']],
] as const;

// Some of the newest peers are for Node 22 and later.
const node = newerNode() ?? '';
if (node === '')
  process.stderr.write('\n*** The installs are SKIPPED: they need Node 22 or test/peers/newer-node\n');

/** Runs a program with that Node, also for the programs that it starts; returns all that it prints. */
function run(words: readonly string[], cwd: string): string {
  // Errors of npm, such as ERESOLVE, are in the message of the error thrown.
  return execFileSync('sh', ['-c', '"$@" 2>&1', 'sh', node, ...words], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}`, npm_config_ignore_scripts: 'true' },
  });
}

// Each night, and not in `.ci/run`, which has 20 minutes.
describe.skipIf(node === '' || isRest || process.platform === 'win32')('the tarball beside its peers', () => {
  let tarball: string;
  let folders: string;
  const newest = new Map<string, string>();
  const lowest = new Map(peers.map(([peer, range]) => [peer, minVersion(range).version]));

  beforeAll(() => {
    tarball = pack();
    folders = mkdtempSync(join(tmpdir(), 'beside-peers-'));
    const npm = join(here, 'node_modules', INSTALLERS[1][1]);
    for (const [peer] of peers)
      newest.set(peer, execFileSync(node, [npm, 'view', peer, 'version'], { encoding: 'utf8' }).trim());
  });
  afterAll(() => rmSync(folders, { recursive: true, force: true }));

  const emptyFolder = (): string => {
    const folder = mkdtempSync(join(folders, 'empty-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
    return folder;
  };
  const named = (versions: ReadonlyMap<string, string>) =>
    [...versions].map(([peer, version]) => `${peer}@${version}`);

  test.each(peers)('the newest %s is within %s', (peer, range) => {
    const version = newest.get(peer) ?? '';
    expect(satisfies(version, range), `${peer} ${version} is outside the peer range ${range}`).toBe(true);
  });

  describe.each(INSTALLERS)('%s', (_, file, [command, onlyResolve]) => {
    const program = join(here, 'node_modules', file);
    /** What is printed of peers that do not fit. npm ends with an error, pnpm only prints. */
    const misfits = (printed: string) =>
      printed.split('\n').filter((line) => /ERESOLVE|unmet peer|issues with peer|conflict/i.test(line));

    test.each(peers.map(([peer]) => peer))('resolves it beside the newest %s', (peer) => {
      const words = [program, command, onlyResolve, tarball, `${peer}@${newest.get(peer)}`];
      expect(misfits(run(words, emptyFolder()))).toEqual([]);
    });

    test.each([
      ['newest', newest],
      ['lowest', lowest],
    ])('installs it beside the %s version of every peer, and every entry is there', (_, versions) => {
      const folder = emptyFolder();
      expect(misfits(run([program, command, tarball, ...named(versions)], folder))).toEqual([]);
      for (const [peer, version] of versions) {
        const installed = readFileSync(join(folder, 'node_modules', peer, 'package.json'), 'utf8');
        expect((JSON.parse(installed) as { version: string }).version).toBe(version);
      }
      const entries = Object.keys(manifest.exports).map((entry) => `email-platform${entry.slice(1)}`);
      writeFileSync(
        join(folder, 'all.mjs'),
        `import { createRequire } from 'node:module';
        const require = createRequire(import.meta.url);
        for (const entry of ${JSON.stringify(entries)})
          console.log(entry, Object.keys(await import(entry)).sort().join() === Object.keys(require(entry)).sort().join());`,
      );
      expect(run(['all.mjs'], folder).trim().split('\n')).toEqual(entries.map((entry) => `${entry} true`));
    });
  });
});
