// npm run mutation: mutates the code that the promises rest on, area by area, and counts the mutations that tests notice.
// `-- promises` makes the deliberate mistakes of test/mutation/mistakes.ts instead, `-- stores throttle` mutates only these
// areas of test/peers/mutation/areas.mjs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { AREAS } from '../test/peers/mutation/areas.mjs';

const FOLDER = '.tmp/mutation';
const [first, ...rest] = process.argv.slice(2);

const run = (program, args, env = {}) =>
  spawnSync(program, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...env },
  }).status ?? 1;

function mutate(names) {
  const unknown = names.filter((name) => !Object.hasOwn(AREAS, name));
  if (unknown.length > 0)
    throw new Error(`no area is called ${unknown.join(', ')}: ${Object.keys(AREAS).join(', ')}`);
  if (run('node', ['test/peers/install.mjs', 'mutation']) !== 0) return 1;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const reports = {};
  const failed = [];
  for (const name of names) {
    console.log(`\n=== mutations: ${name}`);
    const status = run(
      'node',
      [
        'test/peers/mutation/node_modules/@stryker-mutator/core/bin/stryker.js',
        'run',
        'test/peers/mutation/stryker.config.mjs',
      ],
      { MUTATION_AREA: name, MUTATION_TESTS: JSON.stringify(AREAS[name].tests) },
    );
    if (status !== 0) failed.push(name);
    try {
      reports[name] = JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8')).files;
    } catch {
      // Stryker ended before it had a report.
    }
  }
  // For `npm run quality`.
  writeFileSync(`${FOLDER}/areas.json`, JSON.stringify(reports));
  if (failed.length > 0)
    console.log(`\nToo few mutations were noticed, or the run failed: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

process.exitCode =
  first === 'promises'
    ? run('npx', ['--no-install', 'tsx', 'test/mutation/promises.ts', ...rest])
    : mutate(first === undefined ? Object.keys(AREAS) : [first, ...rest]);
