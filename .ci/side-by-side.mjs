// node .ci/side-by-side.mjs <script …>: runs scripts of package.json in the given order, as many in parallel as there
// are cores. Fails after all have ended if one failed.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { processorTime, secondsOfEnded } from './processor-time.mjs';

/** Whole seconds since a value of `performance.now()`, as text. */
export const secondsSince = (startedAt) => ((performance.now() - startedAt) / 1000).toFixed(0);

/**
 * The linter of types is a program in Go. It collects garbage less often with this, which saves a quarter of its time; and
 * on one processor, it checks no type twice, which saves a tenth.
 */
const env = { GOGC: '400', GOMAXPROCS: '1', ...process.env };

/** Runs a script of package.json. Prints its output and its time at the end. Returns whether it succeeded. */
function runScript(script) {
  const startedAt = performance.now();
  console.log(`▸ npm run ${script}`);
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script], {
      env,
      shell: process.platform === 'win32',
    });
    const output = [];
    let seconds;
    child.on('exit', () => (seconds = secondsOfEnded()));
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      console.log(
        `${code === 0 ? '✓' : '✗'} npm run ${script} (${secondsSince(startedAt)} s${processorTime(seconds)})`,
      );
      resolve(code === 0);
    });
  });
}

/** Runs scripts, `lanes` at a time. Returns the names of those that failed. */
export async function sideBySide(scripts, lanes = availableParallelism()) {
  const waiting = [...scripts];
  const failed = [];
  const lane = async () => {
    for (let script = waiting.shift(); script !== undefined; script = waiting.shift())
      if (!(await runScript(script))) failed.push(script);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return failed;
}

if (import.meta.url === pathToFileURL(argv[1]).href) {
  process.exitCode = (await sideBySide(argv.slice(2))).length === 0 ? 0 : 1;
}
