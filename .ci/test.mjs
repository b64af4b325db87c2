// npm test: prints a line at the beginning of each step, and one with its time and its processor time at the end. Beside the
// tests of the sources run the tarball, its tests and the other checks, one after the other. Passes words after `--` to
// Vitest. Ends with a line for each failure, and "N passed, N failed", where a failed check counts as one.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorTime, secondsOfEnded } from './processor-time.mjs';
import { secondsSince, sideBySide } from './side-by-side.mjs';
import { reportTo, resultsIn } from './vitest-counts.mjs';

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

/** Runs projects of `vitest.config.ts`, shows their output, of a run beside another one at its end, and counts their tests. */
function tests(projects, { isBeside = false } = {}) {
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
      env: {
        ...(isBeside && { VITEST_MAX_WORKERS: '1' }),
        ...process.env,
        ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let seconds;
    child.on('exit', () => (seconds = secondsOfEnded()));
    const output = [];
    for (const [stream, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])
      stream.on('data', (chunk) => (isBeside ? output.push(chunk) : to.write(chunk)));
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
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

/** The steps beside the tests of the sources. */
async function beside() {
  const failed = await sideBySide(['tarball']);
  await tests(['package'], { isBeside: true });
  count([...failed, ...(await sideBySide(['typecheck', 'lint', 'format', 'layers'], 1))]);
}

console.log('npm test: tests the sources, beside the tarball, its tests and the other checks.');
await Promise.all([tests(['unit', 'contract', 'browser', 'browser-in-node']), beside()]);

rmSync(folder, { recursive: true, force: true });
console.log(`\nnpm test took ${secondsSince(startedAt)} s`);
if (failures.length > 0) console.log(failures.join('\n'));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
