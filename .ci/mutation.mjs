// npm run mutation: mutates the code that the promises rest on, area by area, and counts the mutations that tests notice.
// `-- promises` makes the deliberate mistakes of test/mutation/mistakes.ts instead, `-- stores throttle` mutates only these
// areas of test/peers/mutation/areas.mjs and keeps the figures of the others.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { AREAS } from '../test/peers/mutation/areas.mjs';

const FOLDER = '.tmp/mutation';
const [first, ...rest] = process.argv.slice(2);

const run = (program, args, env = {}) =>
  spawnSync(program, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...env },
  }).status ?? 1;

/** The processor's time of all ended child processes in seconds; Linux alone counts it for a process. */
function cpuOfChildren() {
  if (process.platform !== 'linux') return undefined;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  // In hundredths of a second, as Linux tells every program.
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function mutate(names) {
  const unknown = names.filter((name) => !Object.hasOwn(AREAS, name));
  if (unknown.length > 0)
    throw new Error(`no area is called ${unknown.join(', ')}: ${Object.keys(AREAS).join(', ')}`);
  if (run('node', ['test/peers/install.mjs', 'mutation']) !== 0) return 1;
  mkdirSync(FOLDER, { recursive: true });
  const lines = [];
  const failed = [];
  for (const name of names) {
    console.log(`\n=== mutations: ${name}`);
    rmSync(`${FOLDER}/${name}.json`, { force: true });
    const startedAt = performance.now();
    const cpuBefore = cpuOfChildren();
    const status = run(
      'node',
      [
        'test/peers/mutation/node_modules/@stryker-mutator/core/bin/stryker.js',
        'run',
        'test/peers/mutation/stryker.config.mjs',
      ],
      { MUTATION_AREA: name, MUTATION_TESTS: JSON.stringify(AREAS[name].tests) },
    );
    const cpu = cpuBefore === undefined ? '' : `, ${(cpuOfChildren() - cpuBefore).toFixed(0)} s of CPU`;
    lines.push(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s${cpu}`);
    if (status !== 0) failed.push(name);
  }
  const files = Object.keys(AREAS).map((name) => [name, `${FOLDER}/${name}.json`]);
  // For `npm run quality`. An area without a report is one that Stryker did not finish.
  const reports = files
    .filter(([, file]) => existsSync(file))
    .map(([name, file]) => [name, JSON.parse(readFileSync(file, 'utf8')).files]);
  writeFileSync(`${FOLDER}/areas.json`, JSON.stringify(Object.fromEntries(reports)));
  console.log(`\n${lines.join('\n')}`);
  if (failed.length > 0)
    console.log(`\nToo few mutations were noticed, or the run failed: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

process.exitCode =
  first === 'promises'
    ? run('npx', ['--no-install', 'tsx', 'test/mutation/promises.ts', ...rest])
    : mutate(first === undefined ? Object.keys(AREAS) : [first, ...rest]);
