/**
 * The code that the promises rest on, by area: its files, the tests that are to notice its mutations, and the least share of
 * them in percent. Each area is a run of Stryker with only its tests, so that a mutation is tried quickly. Tests that take
 * seconds, such as simulations, are left out where the quick ones notice as much.
 */
export const AREAS = {
  'template types': {
    mutate: ['src/handlebars/shape.ts', 'src/templates/type-text.ts'],
    tests: ['test/templates/types-file.test.ts'],
    least: 90,
  },
  throttle: {
    mutate: ['src/throttle/{permit,permit-window,pool,pool-throttle,queues}.ts'],
    tests: [
      'test/throttle/{foreign-use,keys,limits,many-tenants,options,permit-window,pools,queue,queue-order,queues,refusals,throttle,two-pools}.test.ts',
    ],
    least: 90,
  },
  retries: {
    mutate: ['src/transport/{retry,retry-policy,rate-limit}.ts', 'src/core/effect.ts'],
    tests: [
      'test/transport/{rate-limit,retry,retry-policy,retryable,error-responses,timeout-and-abort,results,hooks}.test.ts',
      'test/core/effect.test.ts',
      'test/resources/campaigns/settlement.test.ts',
      'test/resources/sending/batch-all-stop.test.ts',
    ],
    least: 90,
  },
  stores: {
    mutate: ['src/journal/{sqlite-store,postgres-store,patiently}.ts'],
    tests: ['test/journal/{sqlite,postgres,stores-agree}.test.ts'],
    least: 90,
  },
  masking: {
    mutate: ['src/testing/**/{mask,masked,persons,redacted}.ts', 'src/transport/redaction.ts'],
    tests: ['test/testing/**/{masking,masked-report}.test.ts', 'test/transport/redact*.test.ts'],
    least: 90,
  },
  diagnose: {
    mutate: ['src/diagnose/*.ts'],
    tests: ['test/diagnose/*.test.ts'],
    least: 90,
  },
};
