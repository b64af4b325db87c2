import { execFileSync } from 'node:child_process';
import { digits, median, table, type Bench } from './bench.ts';

/** Milliseconds that a process takes to run a program, from start to end. */
function timeOf(program: string, cwd: string): number {
  const start = performance.now();
  execFileSync(process.execPath, ['-e', program], { cwd, stdio: 'ignore' });
  return performance.now() - start;
}

/** The largest part of resend's import time that ours may take, node's own start left out. */
const CEILING = 0.6;

const bench: Bench = {
  title: 'Cold start: a fresh process that imports the package and ends, medians of interleaved rounds',
  run({ root, consumer, isSmoke }) {
    const contestants: readonly [string, string, string][] = [
      ['node alone', '', consumer],
      ["import('email-platform')", "import('email-platform')", consumer],
      ["import('resend')", "import('resend')", root],
      ["require('email-platform')", "require('email-platform')", consumer],
      ["require('resend')", "require('resend')", root],
    ];
    const times = contestants.map((): number[] => []);
    for (let round = 0; round < (isSmoke ? 3 : 31); round += 1) {
      for (const [index, [, program, cwd]] of contestants.entries()) times[index]?.push(timeOf(program, cwd));
    }
    const medians = times.map(median);
    const [alone = NaN, ours = NaN, theirs = NaN] = medians;
    const rows = contestants.map(([name], index) => {
      const total = medians[index] ?? NaN;
      return [name, `${digits(total, 1)} ms`, `${digits(total - alone, 1)} ms above node alone`];
    });
    const share = (ours - alone) / (theirs - alone);
    const ratio = `import: ${digits(share, 2)} × resend (ceiling ${CEILING}); ${digits(ours / theirs, 2)} × with node's own start`;
    return Promise.resolve({
      lines: [...table(rows), '', ratio],
      // A few rounds say little.
      broken: share > CEILING && !isSmoke ? [ratio] : [],
    });
  },
};

export default bench;
