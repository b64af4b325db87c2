// node .ci/side-by-side.mjs <script …>: runs scripts of package.json, as many at a time as there are cores, in the order
// given. Each prints its output when it has ended, with the time it took. Fails when one fails, after all have ended.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const waiting = process.argv.slice(2);
let failed = 0;

function run(script) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script], { shell: process.platform === 'win32' });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      process.stdout.write(Buffer.concat(output));
      console.log(`${code === 0 ? '✓' : '✗'} npm run ${script} (${seconds} s)`);
      if (code !== 0) failed += 1;
      resolve();
    });
  });
}

async function worker() {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) await run(script);
}

await Promise.all(Array.from({ length: availableParallelism() }, worker));
process.exitCode = failed === 0 ? 0 : 1;
