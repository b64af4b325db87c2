// node test/peers/install.mjs [name …]: installs the folders here that are named, or all. Each has a lockfile of its own,
// so that `npm ci` at the top installs only what every day needs. What is installed already is left as it is. No package
// runs scripts of its own; a folder with one that has to be compiled has a script `compile`.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
/** The folder with the packages of a peer. The example has its own, as an application would. */
const folderOf = (name) => (name === 'shop' ? join(here, '../../examples/shop') : join(here, name));
const isPeer = (name) => existsSync(join(folderOf(name), 'package-lock.json'));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !isPeer(name));
if (unknown.length > 0) throw new Error(`test/peers has no ${unknown.join(', ')}`);

/** Whether npm installed what the lockfile says: it leaves a copy of the packages it installed. */
function isInstalled(folder) {
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  try {
    const { '': _, ...wanted } = packagesOf(join(folder, 'package-lock.json'));
    const there = packagesOf(join(folder, 'node_modules/.package-lock.json'));
    return Object.entries(wanted).every(([path, { version, optional }]) =>
      there[path] === undefined ? optional === true : there[path].version === version,
    );
  } catch {
    return false;
  }
}

function npm(folder, ...words) {
  execFileSync('npm', words, {
    cwd: folder,
    stdio: 'inherit',
    // A shell finds npm's own launcher on Windows too.
    shell: process.platform === 'win32',
  });
}

for (const name of named.length > 0 ? named : readdirSync(here).filter(isPeer)) {
  const folder = folderOf(name);
  if (isInstalled(folder)) continue;
  console.log(`Installing test/peers/${name}`);
  npm(folder, 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (scripts?.compile === undefined) continue;
  try {
    npm(folder, 'run', 'compile');
  } catch {
    console.log(`\n*** test/peers/${name} could not be compiled: what needs that is SKIPPED\n`);
  }
}
