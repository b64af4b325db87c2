// The results of a run of Vitest, from the report of its JSON reporter.
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

/** The words that make Vitest write its report into a file, besides what it shows. */
export const reportTo = (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];

/**
 * How many tests passed and failed, and a line for each failure. Whatever else goes wrong counts as one failure: a crash, a
 * run in which nothing ran.
 */
export function resultsIn(file, isDone) {
  let report = { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // It ended before there was a report.
  }
  const { numPassedTests: passed, numFailedTests, testResults } = report;
  const isWrong = (!isDone || passed === 0) && numFailedTests === 0;
  const failures = testResults.flatMap(failuresOf);
  if (isWrong && failures.length === 0) failures.push(`!!! ${basename(file, '.json')}: no result of the run`);
  return { passed, failed: isWrong ? 1 : numFailedTests, failures };
}

/** The file, the test and the first line of its message. */
function failuresOf({ name: path, status, message, assertionResults }) {
  const line = (name, text) =>
    `!!! ${relative(process.cwd(), path)} › ${name}: ${(text ?? '').trim().split('\n')[0]}`;
  const failed = assertionResults.filter((test) => test.status === 'failed');
  // A file that does not load has a message and no test.
  if (failed.length === 0 && status === 'failed') return [line('the whole file', message)];
  return failed.map((test) => line(test.fullName, test.failureMessages?.[0]));
}
