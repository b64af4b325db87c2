// node test/peers/install.mjs [name …]: installs the folders here that are named, or all that tests need. Each has a
// lockfile of its own, so that `npm ci` at the top installs only what every day needs. What is installed already is left
// as it is. No package runs scripts of its own; a folder whose packages have to be compiled has a script `compile`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
/** Installed by the commands that need them, and by no test. */
const NOT_TESTED = ['coverage', 'mutation'];
/** For tests that `.ci/run` leaves out, so it does not install them. */
const NIGHTLY = ['installers', 'majors', 'next-14', 'next-16'];
const isRest = process.env.TEST_ALL === 'rest';
const left = isRest ? [...NOT_TESTED, ...NIGHTLY] : NOT_TESTED;
/** The folder with the packages of a peer. The example has its own, as an application would. */
const folderOf = (name) => (name === 'shop' ? join(here, '../../examples/shop') : join(here, name));
const isPeer = (name) => existsSync(join(folderOf(name), 'package-lock.json'));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !isPeer(name));
if (unknown.length > 0) throw new Error(`test/peers has no ${unknown.join(', ')}`);
const all = readdirSync(here).filter(isPeer);

const read = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** Whether npm installed what the lockfile says: it leaves a copy of the packages it installed. */
function isInstalled(folder) {
  try {
    const { '': _, ...wanted } = read(folder, 'package-lock.json').packages;
    const there = read(folder, 'node_modules/.package-lock.json').packages;
    return Object.entries(wanted).every(([path, { version, optional }]) =>
      there[path] === undefined ? optional === true : there[path].version === version,
    );
  } catch {
    return false;
  }
}

/** Returns whether npm succeeded. */
async function npm(folder, ...words) {
  // In `.ci/run`, what is compiled need not be fast: with fewer optimizations, the compiler takes half the time.
  const env = { ...(isRest && { CFLAGS: '-O1', CXXFLAGS: '-O1' }), ...process.env };
  // A shell finds npm's own launcher on Windows too.
  const child = spawn('npm', words, {
    cwd: folder,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const [code] = await once(child, 'close');
  return code === 0;
}

const scriptOf = (name) => read(folderOf(name), 'package.json').scripts?.compile;
/** Where the package is that the script `compile` of a folder compiles: its last word. */
const compiledIn = (name) => join(folderOf(name), 'node_modules', scriptOf(name).split(' ').at(-1));

const isCompiled = (path) =>
  existsSync(join(path, 'build/Release')) &&
  readdirSync(join(path, 'build/Release')).some((file) => file.endsWith('.node'));

/** Compiles what a folder has to compile. That takes a minute, so a folder copies what another one has. */
async function compile(name) {
  const target = compiledIn(name);
  const { version } = read(target, 'package.json');
  const other = all
    .filter((each) => each !== name && scriptOf(each) === scriptOf(name))
    .map(compiledIn)
    .find((path) => isCompiled(path) && read(path, 'package.json').version === version);
  if (other !== undefined) cpSync(join(other, 'build'), join(target, 'build'), { recursive: true });
  else if (!(await npm(folderOf(name), 'run', 'compile')))
    console.log(`\n*** test/peers/${name} could not be compiled: what needs that is SKIPPED\n`);
}

const wanted = named.length > 0 ? named : all.filter((name) => !left.includes(name));
const missing = wanted.filter((name) => !isInstalled(folderOf(name)));
// Those to compile come first: they are compiled, one after the other, while npm installs the rest.
missing.sort((one, other) => Number(scriptOf(other) !== undefined) - Number(scriptOf(one) !== undefined));
let compiling = Promise.resolve();
/** Installs one folder after the other, until none is left. */
async function lane() {
  for (let name = missing.shift(); name !== undefined; name = missing.shift()) {
    console.log(`Installing test/peers/${name}`);
    if (!(await npm(folderOf(name), 'ci', '--ignore-scripts', '--no-audit', '--no-fund')))
      throw new Error(`npm could not install test/peers/${name}`);
    const done = name;
    if (scriptOf(done) !== undefined) compiling = compiling.then(() => compile(done));
  }
}
// Half of an installation is the network and the disk, so that two take little longer than one.
await Promise.all([lane(), lane()]);
await compiling;
