// npm run test:all: runs everything, some steps beside others. Ends with a table of the steps, the lists of skipped and
// failed tests, and "N passed, N failed". With --clean, as in .ci/run, it begins with `npm ci` and `npm test`, for a
// fresh checkout, and leaves out the projects that `npm test` ran, and the combinations that take longer than 20 minutes
// together.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorTime, secondsOfEnded } from './processor-time.mjs';
import { reportTo, resultsIn } from './vitest-counts.mjs';

/** The projects that `npm test` runs whole. */
const DAILY = ['unit', 'contract', 'browser', 'browser-in-node'];

const isClean = process.argv.includes('--clean');
const folder = mkdtempSync(join(tmpdir(), 'email-platform-test-all-'));
let passed = 0;
let failed = 0;
const skipped = new Set();
const failures = new Set();
const times = [];

/**
 * Runs a command, shows its output, and returns it with the command's success. Shows the output of a command that
 * runs beside others at its end.
 */
function run(command, env = {}, isBeside = false) {
  return new Promise((resolve) => {
    const [program, ...args] = command;
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    let seconds;
    child.on('exit', () => (seconds = secondsOfEnded()));
    for (const [stream, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (!isBeside) to.write(chunk);
      });
    }
    child.on('close', (code) => {
      if (isBeside) console.log(`\n=== ${command.join(' ')}\n${output}`);
      // Lines with three stars name tests that were skipped.
      for (const [line] of output.matchAll(/^\*\*\* .*$/gm)) skipped.add(line);
      // `npm test` prints its failures in the same form.
      for (const [line] of output.matchAll(/^!!! .*$/gm)) failures.add(line);
      resolve({ isDone: code === 0, output, seconds });
    });
  });
}

async function timed(name, work) {
  console.log(`\n=== ${name}`);
  const startedAt = performance.now();
  const [ranPassed, ranFailed, seconds] = await work();
  passed += ranPassed;
  failed += ranFailed;
  const wall = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(5);
  times.push(`${wall} s  ${name}${processorTime(seconds)}`);
  if (ranFailed > 0) failures.add(`!!! ${name}: ${ranFailed} failed`);
}

/** A step that passes or fails as a whole. */
const step = (name, command, { check = () => true, env = {}, isBeside = false } = {}) =>
  timed(name, async () => {
    const { isDone, output, seconds } = await run(command, env, isBeside);
    return isDone && check(output) ? [1, 0, seconds] : [0, 1, seconds];
  });

/** A run of Vitest, whose tests are counted one by one. */
const tests = (name, command, env, isBeside) =>
  timed(name, async () => {
    const file = join(folder, `${name.replace(/\W+/g, '-')}.json`);
    const { isDone, seconds } = await run([...command, ...reportTo(file)], env, isBeside);
    const results = resultsIn(file, isDone);
    for (const line of results.failures) failures.add(line);
    return [results.passed, results.failed, seconds];
  });

/** A command that prints its own count, "N passed, N failed", at the end. */
const counted = (name, command) =>
  timed(name, async () => {
    const { isDone, output, seconds } = await run(command);
    const [, passed = '0', failed = '0'] = /^(\d+) passed, (\d+) failed\s*$/m.exec(output) ?? [];
    return [Number(passed), Number(failed) + (isDone || Number(failed) > 0 ? 0 : 1), seconds];
  });

const vitest = ['npx', '--no-install', 'vitest', 'run'];
const extent = { TEST_ALL: isClean ? 'rest' : '1' };
const installPeers = () =>
  step('test/peers, installed', ['node', 'test/peers/install.mjs'], { env: extent, isBeside: true });

if (isClean) {
  let output = '';
  await step('npm ci', ['npm', 'ci'], { check: (text) => ((output = text), true) });
  await timed('npm ci warns of no engine and nothing deprecated', () =>
    /EBADENGINE|warn deprecated/.test(output) ? [0, 1] : [1, 0],
  );
  // Mostly the network and the disk, which `npm test` leaves alone.
  await Promise.all([installPeers(), counted('npm test', ['npm', 'test'])]);
} else {
  await step('types, lint, layers, package', ['npm', 'run', 'check']);
  await installPeers();
}
const named = (...projects) => projects.flatMap((name) => ['--project', name]);
// These wait more than they compute, so they run beside the others: one file after the other, as they measure real time.
const redis = tests('limits shared over Redis', [...vitest, '--project', 'redis'], extent, true);
/** Run beside the other projects too, one after the other: much of their time is downloads and waiting. */
async function inTurn() {
  const beside = { isBeside: true };
  await tests('other runtimes', [...vitest, '--config', 'test/runtimes/vitest.config.ts'], {}, true);
  await tests('reference', [...vitest, '--config', 'test/reference/vitest.config.ts'], {}, true);
  await step('npm start', ['npm', 'start'], beside);
  await step('npm run bench -- --smoke', ['npm', 'run', 'bench', '--', '--smoke'], beside);
  await step('npm run fuzz -- --minutes 0.25', ['npm', 'run', 'fuzz', '--', '--minutes', '0.25'], beside);
}
const inFull = () =>
  tests(
    'every test in full',
    [...vitest, ...named(...DAILY, 'browser-example', 'package', 'slow', 'peers')],
    extent,
  );
/** What computes, beside what often waits for a server or a clock: then neither keeps the other from a core for long. */
async function theRest() {
  const workers = ['--maxWorkers', String(Math.ceil(availableParallelism() / 2))];
  const pages = [...vitest, ...named('browser-example', 'package'), ...workers];
  await Promise.all([
    tests('pages, and the package in full', pages, extent, true),
    tests('other packages, processes, real time', [...vitest, ...named('slow', 'peers')], extent),
  ]);
}
await Promise.all([redis, inTurn(), isClean ? theRest() : inFull()]);
// Mutations take longer than everything else together, so only the nightly run and a release measure them. The deliberate
// mistakes, `npm run mutation -- promises`, are a nightly job of their own.
if (!isClean) await step('npm run quality', ['npm', 'run', 'quality']);

rmSync(folder, { recursive: true, force: true });
console.log(`\nTimes:\n${times.join('\n')}`);
if (skipped.size > 0) console.log(`\nSKIPPED:\n${[...skipped].join('\n')}`);
if (failures.size > 0) console.log(`\nFAILED:\n${[...failures].join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
