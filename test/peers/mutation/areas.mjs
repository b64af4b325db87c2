/**
 * The code that the promises rest on, by area: its files, the tests that are to notice its mutations, and the least share of
 * them in percent. Each area is a run of Stryker with only its tests, so that a mutation is tried quickly.
 */
export const AREAS = {
  'template types': {
    mutate: ['src/handlebars/shape.ts', 'src/templates/type-text.ts'],
    tests: ['test/templates/types-file.test.ts'],
    least: 90,
  },
  throttle: {
    mutate: ['permit', 'permit-window', 'pool', 'pool-throttle', 'queues'].map(
      (name) => `src/throttle/${name}.ts`,
    ),
    tests: ['test/throttle/*.test.ts'],
    least: 90,
  },
  retries: {
    mutate: [
      'src/transport/retry.ts',
      'src/transport/retry-policy.ts',
      'src/transport/rate-limit.ts',
      'src/core/effect.ts',
    ],
    tests: [
      'test/transport/{rate-limit,retry,retry-policy,retry-table,retryable,connection-failure,error-responses,timeout-and-abort,results,hooks}.test.ts',
      'test/core/effect.test.ts',
      'test/resources/campaigns/settlement.test.ts',
      'test/resources/sending/batch-all-stop.test.ts',
    ],
    least: 90,
  },
  stores: {
    mutate: ['src/journal/{sqlite,postgres}-store.ts', 'src/journal/patiently.ts'],
    tests: ['test/journal/{sqlite,postgres,stores-agree}.test.ts'],
    least: 90,
  },
  keys: {
    mutate: [
      'src/transport/claim.ts',
      'src/core/key.ts',
      'src/journal/create-journal.ts',
      'src/journal/row-rules.ts',
      'src/journal/keys/*.ts',
      'src/resources/sending/batch/{outcomes,rules}.ts',
      'src/resources/sending/keys/keyed-run.ts',
      'src/resources/sending/mail/rules.ts',
    ],
    tests: [
      'test/core/{key,effect}.test.ts',
      'test/journal/{batch-all,faulty-stores,lost-answers,options,row-rules,send,settle-from,settle-unknown}.test.ts',
      'test/resources/sending/*.test.ts',
    ],
    least: 85,
  },
  masking: {
    mutate: [
      'src/testing/report/mask/{mask,masked,persons}.ts',
      'src/testing/service/wire/redacted.ts',
      'src/transport/redaction.ts',
    ],
    tests: ['test/testing/report/mask/{masking,masked-report}.test.ts', 'test/transport/redact*.test.ts'],
    least: 90,
  },
  diagnose: {
    mutate: ['src/diagnose/*.ts'],
    tests: ['test/diagnose/*.test.ts'],
    least: 90,
  },
};
