import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = (name: string) => join(import.meta.dirname, '../../.ci', `${name}.mjs`);

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- A thing.

## [1.2.3] - 2026-01-02

- An older thing.
`;

/** A small package in a repository of its own. */
function aPackage(files: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'email-platform-release-'));
  onTestFinished(() => {
    rmSync(home, { recursive: true, force: true });
  });
  const folder = join(home, 'repository');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    npm_config_offline: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'Ann'],
        [`GIT_${who}_EMAIL`, 'ann@example.org'],
      ]),
    ),
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const run = (name: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script(name), ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const manifest = { name: 'a-package', version: '1.2.3', description: 'A.', license: 'MIT', files: ['src'] };
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  write('src/version.ts', "export const VERSION = '1.2.3';\n");
  write('CHANGELOG.md', CHANGELOG);
  write('README.md', 'See the [changelog](CHANGELOG.md), and [the web](https://example.org).\n');
  for (const [name, text] of Object.entries(files)) write(name, text);
  git('init', '--quiet', '--initial-branch=main');
  const commit = () => git('add', '--all') + git('commit', '--quiet', '--message', 'x');
  commit();
  return {
    git,
    read,
    write,
    run,
    commit,
    manifest: () => JSON.parse(read('package.json')) as Record<string, unknown>,
  };
}

/** The same, ready for a release. */
function aReadyPackage(files?: Readonly<Record<string, string>>) {
  const made = aPackage(files);
  made.run('repository', 'https://git.example.org/ann/a-package');
  made.commit();
  return made;
}

test.each([
  'https://git.example.org/ann/a-package',
  'https://git.example.org/ann/a-package.git',
  'git@git.example.org:ann/a-package.git',
])('the script fills repository, bugs, homepage and author from %s', (address) => {
  const { run, manifest } = aPackage();
  expect(run('repository', address).status).toBe(0);
  expect(manifest()).toMatchObject({
    version: '1.2.3',
    repository: { type: 'git', url: 'git+https://git.example.org/ann/a-package.git' },
    bugs: { url: 'https://git.example.org/ann/a-package/issues' },
    homepage: 'https://git.example.org/ann/a-package#readme',
    author: { name: 'ann', url: 'https://git.example.org/ann' },
  });
  expect(run('repository', '--check').status).toBe(0);
});

test('links to pictures lead to the repository', () => {
  const guide =
    '[How](../README.md) ![x](images/x.png) [a method](methods.md#send) [of old](https://a.example/b/c/raw/main/docs/images/x.png)';
  const { run, read, write } = aPackage({ 'docs/guide.md': guide });
  expect(run('repository', 'https://git.example.org/ann/a-package').status).toBe(0);
  const picture = 'https://git.example.org/ann/a-package/raw/main/docs/images/x.png';
  expect(read('docs/guide.md')).toBe(
    `[How](../README.md) ![x](${picture}) [a method](methods.md#send) [of old](${picture})`,
  );
  expect(run('repository', '--check').status).toBe(0);
  write('docs/guide.md', '![x](images/x.png)');
  expect(run('repository', '--check').stderr).toContain(
    'docs/guide.md: a link leads to a picture, which the package leaves out',
  );
});

test('a packed page has pictures only with an address, and is then as it was', () => {
  const guide =
    '# A\n\n![x](images/x.png)\n\nText. ![y](images/y.png)\n![w](images/w.png)\n\n![z](https://a.example/z.png)\n';
  const { run, read, write } = aPackage({ 'docs/guide.md': guide });
  expect(run('packed-pages', 'take-out').status).toBe(0);
  expect(read('docs/guide.md')).toBe('# A\n\nText.\n\n![z](https://a.example/z.png)\n');
  expect(run('packed-pages', 'restore').status).toBe(0);
  expect(read('docs/guide.md')).toBe(guide);

  // `npm pack` was killed, and the page was edited.
  run('packed-pages', 'take-out');
  write('docs/guide.md', '# B\n');
  run('packed-pages', 'restore');
  expect(read('docs/guide.md')).toBe('# B\n');

  write('docs/guide.md', guide);
  run('repository', 'https://git.example.org/ann/a-package');
  const released = read('docs/guide.md');
  run('packed-pages', 'take-out');
  expect(read('docs/guide.md')).toBe(released);
});

test('without an address it takes that of the remote, and invents none', () => {
  const { run, git, manifest } = aPackage();
  expect(run('repository')).toMatchObject({ status: 1, stdout: '' });
  expect(manifest()).not.toHaveProperty('repository');
  git('remote', 'add', 'origin', 'git@git.example.org:ann/other.git');
  expect(run('repository').status).toBe(0);
  expect(manifest().homepage).toBe('https://git.example.org/ann/other#readme');
});

test('a release is refused while they are empty', () => {
  const { run, git } = aPackage();
  const { status, stderr } = run('release', 'minor');
  expect([status, stderr]).toEqual([1, expect.stringContaining('package.json has no repository') as string]);
  expect(git('tag')).toBe('');
  expect(run('repository', '--check').status).toBe(1);
});

test('a dry run shows the version, what is new and what would go, and changes nothing', () => {
  const { run, git, read } = aReadyPackage();
  const before = [git('rev-parse', 'HEAD'), read('package.json'), read('CHANGELOG.md')];
  const { status, stdout } = run('release', 'minor', '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toContain('Release 1.3.0');
  expect(stdout).toContain('- A thing.');
  expect(stdout).not.toContain('An older thing');
  expect(stdout).toContain('  src/version.ts');
  expect([git('rev-parse', 'HEAD'), read('package.json'), read('CHANGELOG.md')]).toEqual(before);
  expect([git('status', '--porcelain'), git('tag')]).toEqual(['', '']);
});

test('a release writes the version and the date, commits and tags', () => {
  const { run, git, read, manifest } = aReadyPackage();
  expect(run('release', 'major').status).toBe(0);
  expect(manifest().version).toBe('2.0.0');
  expect(read('src/version.ts')).toBe("export const VERSION = '2.0.0';\n");
  expect(read('CHANGELOG.md')).toMatch(/^## \[2\.0\.0\] - \d{4}-\d\d-\d\d$/m);
  expect([git('tag'), git('log', '-1', '--format=%s'), git('status', '--porcelain')]).toEqual([
    'v2.0.0',
    'Release 2.0.0',
    '',
  ]);
  expect(git('tag', '--list', '--format=%(contents)')).toContain('- A thing.');
  // Nothing is new now.
  expect(run('release', 'patch').stderr).toContain('nothing is new');
});

test('where the changelog has decided on a version, that is released', () => {
  const { run, git } = aReadyPackage({
    'CHANGELOG.md': CHANGELOG.replace('[Unreleased]', '[1.2.3] - Unreleased'),
  });
  expect(run('release', 'minor').stderr).toContain('CHANGELOG.md has decided on 1.2.3');
  expect(run('release').status).toBe(0);
  expect(git('tag')).toBe('v1.2.3');
});

test.each<[string, string, string, string]>([
  [
    'a link of the README leads to no file of the repository',
    'README.md',
    '[x](docs/x.md)',
    'docs/x.md is no file',
  ],
  ['the changelog lists nothing', 'CHANGELOG.md', '## [Unreleased]\n\n## [1.2.3]\n\n- x\n', 'lists nothing'],
])('it is refused if %s', (_, file, text, words) => {
  const { run, git } = aReadyPackage({ [file]: text });
  expect(run('release', 'patch')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(words) as string,
  });
  expect(git('tag')).toBe('');
});

test('it is refused with changes that are not committed, and without its kind', () => {
  const { run, write } = aReadyPackage();
  expect(run('release').stderr).toContain('npm run release -- major|minor|patch');
  expect(run('release', 'huge').stderr).toContain('not "huge"');
  write('src/version.ts', 'x');
  expect(run('release', 'patch').stderr).toContain('not committed');
});
