// The results of a run of Vitest, from the report of its JSON reporter.
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

/** The arguments that make Vitest write its report into a file, besides its usual output. */
export const reportTo = (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];

/**
 * The number of passed and failed tests, and a line for each failure. Any other problem counts as one failure: a
 * crash, or a run without tests.
 */
export function resultsIn(file, isDone) {
  let report = { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The run ended without a report.
  }
  const { numPassedTests: passed, numFailedTests, testResults } = report;
  const isWrong = (!isDone || passed === 0) && numFailedTests === 0;
  const failures = testResults.flatMap(failuresOf);
  if (isWrong && failures.length === 0) failures.push(`!!! ${basename(file, '.json')}: no result of the run`);
  return { passed, failed: isWrong ? 1 : numFailedTests, failures };
}

/** The file, the test and the first line of its error. */
function failuresOf({ name: path, status, message, assertionResults }) {
  const line = (name, text) =>
    `!!! ${relative(process.cwd(), path)} › ${name}: ${(text ?? '').trim().split('\n')[0]}`;
  const failed = assertionResults.filter((test) => test.status === 'failed');
  // A file that does not load has an error, but no test.
  if (failed.length === 0 && status === 'failed') return [line('the whole file', message)];
  return failed.map((test) => line(test.fullName, test.failureMessages?.[0]));
}
