/**
 * `npm run mutation -- promises`: makes each deliberate mistake of `mistakes.ts`, and runs its tests, which have to fail.
 * `npm run mutation -- promises masked` makes those of one promise. Ends with the share that the tests noticed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { MISTAKES, PROMISES, type Mistake } from './mistakes.ts';
import { staleRows } from './stale-rows.ts';

interface Result {
  readonly passed: number;
  /** The names of the failed tests. */
  readonly failed: readonly string[];
}

/** The part of Vitest's JSON report that this program reads. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'promises-'));
const root = join(import.meta.dirname, '../..');

/** Runs tests with the mistake of this number; with none if there is no number. */
function run(tests: readonly string[], index?: number): Promise<Result> {
  const file = join(folder, `${index ?? 'none'}.json`);
  const args = ['vitest', 'run', '--config', 'test/mutation/promises.config.ts', '--reporter', 'json'];
  const bail = index === undefined ? [] : ['--bail', '1'];
  const child = spawn(
    'npx',
    ['--no-install', ...args, '--outputFile', file, ...bail, ...tests.map((path) => `test/${path}`)],
    {
      cwd: root,
      env: { ...process.env, MISTAKE: index === undefined ? undefined : String(index) },
      stdio: 'ignore',
      shell: process.platform === 'win32',
    },
  );
  return new Promise((resolve) => {
    child.once('close', () => {
      try {
        const { numPassedTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
        const failed = testResults
          .flatMap(({ assertionResults }) => assertionResults)
          .flatMap(({ status, fullName }) => (status === 'failed' ? [fullName] : []));
        resolve({ passed: numPassedTests, failed });
      } catch {
        resolve({ passed: 0, failed: [] });
      }
    });
  });
}

const [promise] = process.argv.slice(2);
const chosen = [...MISTAKES.entries()].filter(([, one]) => promise === undefined || one.promise === promise);
const problems = staleRows(chosen.map(([, one]) => one));
if (chosen.length === 0) problems.push(`no promise is called ${promise}: ${PROMISES.join(', ')}`);

const noticed: Mistake[] = [];
if (problems.length === 0) {
  const startedAt = performance.now();
  const tests = [...new Set(chosen.flatMap(([, one]) => one.tests))];
  const before = await run(tests);
  if (before.passed === 0) problems.push('without a mistake, no test passes');
  problems.push(...before.failed.map((name) => `fails without a mistake: ${name}`));
  const waiting = before.passed > 0 && before.failed.length === 0 ? [...chosen] : [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, mistake] = next;
      const { passed, failed } = await run(mistake.tests, index);
      const isNoticed = failed.length > 0;
      if (isNoticed) noticed.push(mistake);
      else
        problems.push(
          passed > 0
            ? `not noticed: ${mistake.what} (src/${mistake.file}; ${mistake.tests.join(', ')})`
            : `no test ran: ${mistake.what} (src/${mistake.file}): its replacement is no code`,
        );
      process.stdout.write(`${isNoticed ? '✓' : '✗'} ${mistake.promise}: ${mistake.what}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  for (const name of before.failed.length > 0 ? [] : PROMISES) {
    const [all, found] = [chosen.map(([, one]) => one), noticed].map(
      (list) => list.filter((one) => one.promise === name).length,
    );
    if (all) process.stdout.write(`${name}: ${found} of ${all} mistakes noticed\n`);
  }
  process.stdout.write(`It took ${Math.round((performance.now() - startedAt) / 1000)} s.\n`);
}
rmSync(folder, { recursive: true, force: true });
for (const problem of problems) process.stdout.write(`!!! ${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
