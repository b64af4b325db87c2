// node .ci/newest.mjs: runs every install line of the guides with the newest versions, and then the programs under it. Each
// night, with Node 22 and 24. The report opens with the name of each package that broke.
import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const PEERS = 'test/peers';

/**
 * The install lines of a guide: their packages, the folders of test/peers that run the programs under them, and whether the
 * programs of the guide are the files of an application.
 */
export function installLines(file, markdown) {
  const found = [];
  const isApplication = /^```ts in: first$/m.test(markdown);
  let open;
  for (const [index, text] of markdown.split('\n').entries()) {
    if (/^## /.test(text)) open = undefined;
    const [, peer] = /^\s*```ts peer: ([\w-]+)$/.exec(text) ?? [];
    if (peer !== undefined && open?.peers.includes(peer) === false) open.peers.push(peer);
    for (const [, words = ''] of text.matchAll(/npm install ([^`&]+)/g)) {
      const names = words.trim().split(/\s+/);
      const packages = names
        .filter((name) => !name.startsWith('-') && name !== 'email-platform')
        .map((name) => name.replace(/(?<=.)@.*$/, ''));
      open = { file, line: index + 1, packages, peers: [], isApplication };
      if (packages.length > 0) found.push(open);
    }
  }
  return found;
}

/**
 * Runs the programs of an install line with the newest versions. Returns the packages that break them, each alone; all of
 * them, if none does alone. Throws if the programs fail with the versions of the tests, too.
 */
export function brokenBy({ packages }, { install, passes, restore }) {
  const fails = (some) => !install(some) || !passes();
  try {
    if (!fails(packages)) return [];
    restore();
    if (!passes()) throw new Error('its programs fail with the versions of the tests, too');
    const alone = packages.filter((name) => {
      const isBroken = fails([name]);
      restore();
      return isBroken;
    });
    return alone.length > 0 ? alone : packages;
  } finally {
    restore();
  }
}

/** The packages to install in each folder by one command: a second command would undo the first, which saves nothing. */
export function installsIn(packages) {
  const found = new Map();
  for (const { name, folder, version } of packages)
    found.set(folder, [...(found.get(folder) ?? []), `${name}@${version}`]);
  return [...found];
}

const manifest = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const dependenciesIn = (folder) => ({
  ...manifest(folder).dependencies,
  ...manifest(folder).devDependencies,
});
const folders = readdirSync(join(root, PEERS))
  .map((name) => `${PEERS}/${name}`)
  .filter((folder) => {
    try {
      return manifest(folder) !== undefined;
    } catch {
      return false;
    }
  });

/** The commands for an install line, in this checkout. `output` keeps what they print. */
function commandsOf({ file, packages, peers, isApplication }, output) {
  const run = (command, args, folder = '.') => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: join(root, folder),
      encoding: 'utf8',
      // All projects have all of their tests: the package's has the guide of templates only then.
      env: { ...process.env, TEST_ALL: '1' },
    });
    output.push(`$ ${[command, ...args].join(' ')}\n${stdout}${stderr}`);
    return status === 0;
  };
  const withAll = folders.filter((folder) => packages.every((name) => name in dependenciesIn(folder)));
  const users = peers.length > 0 ? peers.map((name) => `${PEERS}/${name}`) : withAll;
  const places = packages.map((name) => users.find((folder) => name in dependenciesIn(folder)) ?? '.');
  const each = (versionOf, some) =>
    installsIn(
      packages.flatMap((name, index) => {
        const folder = places[index];
        const version = versionOf(name, folder);
        return some.includes(name) && version !== undefined ? [{ name, folder, version }] : [];
      }),
    ).every(([folder, names]) =>
      run('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...names], folder),
    );
  const tests =
    users.length > 0
      ? ['--project', 'peers', ...users]
      : isApplication
        ? ['--project', 'package', 'test/package/templates-guide.test.ts']
        : ['--project', 'unit', 'test/docs/snippets.test.ts', '-t', file];
  const names = users.map((folder) => folder.slice(PEERS.length + 1));
  // Without a name, it would install all of them.
  if (names.length > 0) run('node', [`${PEERS}/install.mjs`, ...names]);
  return {
    install: (some) => each(() => 'latest', some),
    passes: () => run('npx', ['vitest', 'run', ...tests]),
    restore: () => each((name, folder) => dependenciesIn(folder)[name], packages),
  };
}

/** The report: first the packages that broke. */
export const reportOf = (results) =>
  [...results]
    .sort((one, other) => Number(other.broken.length > 0) - Number(one.broken.length > 0))
    .map(({ file, line, packages, broken }) =>
      broken.length > 0
        ? `${broken.join(', ')}: breaks the programs under ${file}:${line}, with Node ${process.version}`
        : `passed: ${file}:${line}, ${packages.join(', ')}`,
    )
    .join('\n');

if (pathToFileURL(process.argv[1] ?? '').href === import.meta.url) {
  const guides = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  const lines = guides
    .filter((name) => name.endsWith('.md'))
    .flatMap((file) => installLines(file, readFileSync(join(root, file), 'utf8')));
  const outputs = [];
  const results = lines.map((line) => {
    const output = [];
    let broken;
    try {
      broken = brokenBy(line, commandsOf(line, output));
    } catch (error) {
      broken = [`no package (${error.message})`];
    }
    if (broken.length > 0) outputs.push(...output);
    return { ...line, broken };
  });
  const report = reportOf(results);
  console.log(`${report}\n\n${outputs.join('\n')}`);
  if (process.env.GITHUB_STEP_SUMMARY !== undefined)
    appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${report}\n`);
  if (outputs.length > 0) process.exitCode = 1;
}
