// npm run test:all: everything, one step after the other; ends with "N passed, N failed" after the lists of what was
// skipped and of what failed. With --clean, as .ci/run does: on a fresh checkout, from `npm ci` and `npm test` on.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportTo, resultsIn } from './vitest-counts.mjs';

const isClean = process.argv.includes('--clean');
const folder = mkdtempSync(join(tmpdir(), 'email-platform-test-all-'));
let passed = 0;
let failed = 0;
const skipped = new Set();
const failures = new Set();
const times = [];

/**
 * Runs a command, shows its output, and returns it with whether the command succeeded. The output of one that runs beside
 * others is shown when it has ended.
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
      // What a test run says with three stars in front was not tested.
      for (const [line] of output.matchAll(/^\*\*\* .*$/gm)) skipped.add(line);
      // `npm test` names its failures in the same form as this file.
      for (const [line] of output.matchAll(/^!!! .*$/gm)) failures.add(line);
      resolve({ isDone: code === 0, output });
    });
  });
}

async function timed(name, work) {
  console.log(`\n=== ${name}`);
  const startedAt = performance.now();
  const [ranPassed, ranFailed] = await work();
  passed += ranPassed;
  failed += ranFailed;
  times.push(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${name}`);
  if (ranFailed > 0) failures.add(`!!! ${name}: ${ranFailed} failed`);
}

/** Something that passes or fails as a whole. */
const step = (name, command, check = () => true) =>
  timed(name, async () => {
    const { isDone, output } = await run(command);
    return isDone && check(output) ? [1, 0] : [0, 1];
  });

/** Vitest: its tests are counted one by one. */
const tests = (name, command, env, isBeside) =>
  timed(name, async () => {
    const file = join(folder, `${name.replace(/\W+/g, '-')}.json`);
    const { isDone } = await run([...command, ...reportTo(file)], env, isBeside);
    const results = resultsIn(file, isDone);
    for (const line of results.failures) failures.add(line);
    return [results.passed, results.failed];
  });

/** A command that counts by itself, and ends with "N passed, N failed". */
const counted = (name, command) =>
  timed(name, async () => {
    const { isDone, output } = await run(command);
    const [, passed = '0', failed = '0'] = /^(\d+) passed, (\d+) failed\s*$/m.exec(output) ?? [];
    return [Number(passed), Number(failed) + (isDone || Number(failed) > 0 ? 0 : 1)];
  });

const vitest = ['npx', '--no-install', 'vitest', 'run'];
let rest = { TEST_ALL: '1' };

if (isClean) {
  let output = '';
  await step('npm ci', ['npm', 'ci'], (said) => ((output = said), true));
  await timed('npm ci warns of no engine and nothing deprecated', () =>
    /EBADENGINE|warn deprecated/.test(output) ? [0, 1] : [1, 0],
  );
  const failedBefore = failed;
  await counted('npm test', ['npm', 'test']);
  // What it ran in full would only run again.
  if (failed === failedBefore) rest = { TEST_ALL: 'rest' };
} else {
  await step('types, lint, layers, package', ['npm', 'run', 'check']);
}
// All of vitest.config.ts, but for the two that come after them.
const projects = [
  'unit',
  'contract',
  'browser',
  'browser-in-node',
  'browser-example',
  'javascript',
  'package',
  'slow',
].flatMap((name) => ['--project', name]);
await step('test/peers, installed', ['node', 'test/peers/install.mjs']);
await tests('every test in full', [...vitest, ...projects], rest);
// Mostly real waiting, one file after the other: the other core has the rest meanwhile.
const redis = tests('limits shared over Redis', [...vitest, '--project', 'redis'], rest, true);
await tests('test/peers, tested', [...vitest, '--project', 'peers'], rest);
await tests('reference', [...vitest, '--config', 'test/reference/vitest.config.ts']);
await tests('other runtimes', [...vitest, '--config', 'test/runtimes/vitest.config.ts']);
await step('npm start', ['npm', 'start']);
await step('npm run bench -- --smoke', ['npm', 'run', 'bench', '--', '--smoke']);
await step('npm run fuzz -- --minutes 1', ['npm', 'run', 'fuzz', '--', '--minutes', '1']);
await redis;
// Mutations take longer than everything else together: their figures are those of a release, not of every change.
if (!isClean) await step('npm run quality', ['npm', 'run', 'quality']);

rmSync(folder, { recursive: true, force: true });
console.log(`\nTimes:\n${times.join('\n')}`);
if (skipped.size > 0) console.log(`\nSKIPPED:\n${[...skipped].join('\n')}`);
if (failures.size > 0) console.log(`\nFAILED:\n${[...failures].join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
