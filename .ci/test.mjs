// npm test: prints a line at the beginning of each step, and one with its time and its processor time at the end. The
// tests begin after the JavaScript is built; the declarations and the other checks run beside them. Passes words after
// `--` to Vitest. Ends with a line for each failure, and "N passed, N failed", where a failed check counts as one.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorTime, secondsOfEnded } from './processor-time.mjs';
import { secondsSince, sideBySide } from './side-by-side.mjs';
import { reportTo, resultsIn } from './vitest-counts.mjs';

/** Checks that run beside the tests, one after the other. */
const CHECKS = ['tarball', 'typecheck', 'lint', 'format', 'layers'];

const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'email-platform-test-'));
let passed = 0;
let failed = 0;
const failures = [];

/** Counts the scripts of a step as one, and lists the failed ones. */
function count(failedScripts) {
  if (failedScripts.length === 0) passed += 1;
  else failed += 1;
  failures.push(...failedScripts.map((script) => `!!! npm run ${script}`));
}

/** Runs projects of `vitest.config.ts`, shows their output, and counts their tests. */
function tests(projects) {
  const startedAt = performance.now();
  const report = join(folder, `${projects[0]}.json`);
  const words = [
    ...projects.flatMap((name) => ['--project', name]),
    ...reportTo(report),
    ...process.argv.slice(2),
  ];
  console.log(`▸ tests: ${projects.join(', ')}`);
  return new Promise((resolve) => {
    const child = spawn('npx', ['--no-install', 'vitest', 'run', ...words], {
      env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let seconds;
    child.on('exit', () => (seconds = secondsOfEnded()));
    child.stdout.pipe(process.stdout, { end: false });
    child.stderr.pipe(process.stderr, { end: false });
    child.on('close', (code) => {
      const results = resultsIn(report, code === 0);
      passed += results.passed;
      failed += results.failed;
      failures.push(...results.failures);
      const time = `${secondsSince(startedAt)} s${processorTime(seconds)}`;
      console.log(`${code === 0 ? '✓' : '✗'} tests: ${projects.join(', ')} (${time})`);
      resolve();
    });
  });
}

console.log('npm test: builds the JavaScript; tests it beside the checks; tests the tarball.');
count(await sideBySide(['tarball:javascript']));
await Promise.all([
  tests(['unit', 'contract', 'browser', 'browser-in-node', 'javascript']),
  sideBySide(CHECKS, 1).then(count),
]);
await tests(['package']);

rmSync(folder, { recursive: true, force: true });
console.log(`\nnpm test took ${secondsSince(startedAt)} s`);
if (failures.length > 0) console.log(failures.join('\n'));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
