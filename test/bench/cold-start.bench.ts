import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { digits, median, table, type Bench } from './bench.ts';

/** The largest part of resend's import time that ours may take. */
const CEILING = 0.6;

/** Milliseconds that loading a package takes in a fresh process: the process's own start and end vary more than that. */
function timeOf(load: string, cwd: string): number {
  const program = `const start = performance.now(); (async () => ${load})().then(() => console.log(performance.now() - start))`;
  return Number(execFileSync(process.execPath, ['-e', program], { cwd, encoding: 'utf8' }));
}

const bench: Bench = {
  title: 'Cold start: what loading the package takes in a fresh process, medians of interleaved rounds',
  run({ root, consumer, isSmoke }) {
    const peer = join(root, 'test/peers/resend');
    const contestants = [
      ["import('email-platform')", consumer],
      ["import('resend')", peer],
      ["require('email-platform')", consumer],
      ["require('resend')", peer],
    ] as const;
    const times = contestants.map((): number[] => []);
    for (let round = 0; round < (isSmoke ? 3 : 31); round += 1) {
      for (const [index, [load, cwd]] of contestants.entries()) times[index]?.push(timeOf(load, cwd));
    }
    const medians = times.map(median);
    const rows = contestants.map(([load], index) => [load, `${digits(medians[index] ?? NaN, 1)} ms`]);
    const [ours = NaN, theirs = NaN] = medians;
    const share = ours / theirs;
    const ratio = `import: ${digits(share, 2)} × resend (ceiling ${CEILING})`;
    return Promise.resolve({
      lines: [...table(rows), '', ratio],
      // A few rounds say little.
      broken: share > CEILING && !isSmoke ? [ratio] : [],
    });
  },
};

export default bench;
