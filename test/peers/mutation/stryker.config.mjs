/**
 * Changes the code that the promises rest on, one place at a time, and counts how many changes the tests notice.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/peers/mutation/vitest.config.ts' },
  mutate: [
    'src/transport/retry-policy.ts',
    'src/transport/rate-limit.ts',
    'src/core/effect.ts',
    'src/transport/redaction.ts',
    'src/throttle/permit.ts',
    'src/throttle/permit-window.ts',
    'src/throttle/pool.ts',
    'src/transport/claim.ts',
    'src/core/key.ts',
    'src/journal/create-journal.ts',
    'src/journal/row-rules.ts',
    'src/journal/keys/*.ts',
    'src/resources/sending/batch/outcomes.ts',
    'src/resources/sending/batch/rules.ts',
    'src/resources/sending/keys/keyed-run.ts',
    'src/resources/sending/mail/rules.ts',
  ],
  // Words in messages are not what these files decide; a hint has tests of its own.
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 95, low: 90, break: 85 },
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: '.tmp/mutation/report.html' },
  jsonReporter: { fileName: '.tmp/mutation/report.json' },
  tempDirName: '.tmp/mutation/sandbox',
  ignorePatterns: ['dist', 'docs/reference'],
  concurrency: 2,
  // Long, because a mutant that is only slow on a busy machine would count as noticed.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 15,
};
