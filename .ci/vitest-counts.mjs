// How many tests of a run of Vitest passed and failed, from the report of its JSON reporter.
import { readFileSync } from 'node:fs';

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
