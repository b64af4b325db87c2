// How many tests of a run of Vitest passed and failed, and which failed, from the report of its JSON reporter.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The words that make Vitest write its report into a file, besides what it shows. */
export const reportTo = (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];

/** `[passed, failed]`. Whatever else goes wrong counts as one failure: a crash, a run in which nothing ran. */
export function countsIn(file, isDone) {
  let counts = [0, 0];
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(file, 'utf8'));
    counts = [numPassedTests, numFailedTests];
  } catch {
    // It ended before there was a report.
  }
  const isWrong = (!isDone || counts[0] === 0) && counts[1] === 0;
  return isWrong ? [counts[0], 1] : counts;
}

/** A line for each failure in a report: the file, the test and the first line of its message. */
export function failuresIn(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
  const line = (path, name, message) =>
    `!!! ${relative(process.cwd(), path)} › ${name}: ${(message ?? '').trim().split('\n')[0]}`;
  return report.testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that does not load has a message and no test.
    if (failed.length === 0 && status === 'failed') return [line(path, 'the whole file', message)];
    return failed.map((test) => line(path, test.fullName, test.failureMessages?.[0]));
  });
}
