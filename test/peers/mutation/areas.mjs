/**
 * The code that the promises rest on, by area: its places, the tests that are to notice its mutations, and the least share
 * of them in percent. A place is a file, or functions and methods of a file: `file.ts#name,name`. So no place moves when a
 * line does; `**` finds a file in whatever folder it is. Each area is a run of Stryker with only its tests, so that a
 * mutation is tried quickly: simulations, which take seconds, are left out where the quick tests notice as much.
 */
export const AREAS = {
  'template types': {
    mutate: ['src/handlebars/shape.ts', 'src/entries/templates/type-text.ts'],
    tests: ['test/entries/templates/types-file.test.ts'],
    least: 90,
  },
  throttle: {
    mutate: [
      'src/throttle/pool-throttle.ts#acquire,block,review,#poolsFor,#grant,#end,#next,#leave,#setAlarm',
    ],
    tests: [
      'test/throttle/{foreign-use,keys,limits,many-tenants,options,permit-window,pools,queue,queue-order,queues,refusals,throttle,two-pools}.test.ts',
    ],
    least: 90,
  },
  retries: {
    mutate: [
      'src/transport/retry.ts',
      'src/transport/retry-policy.ts#retryReason,isRetryable,retryLimits,decideRetry',
    ],
    tests: [
      'test/transport/{retry,retry-policy,retryable}.test.ts',
      'test/resources/campaigns/settlement.test.ts',
    ],
    least: 90,
  },
  'keys in SQLite': {
    mutate: ['src/entries/journal/sqlite-store.ts', 'src/entries/journal/patiently.ts'],
    tests: ['test/entries/journal/{sqlite,sqlite-statements}.test.ts'],
    least: 90,
  },
  'keys in Postgres': {
    mutate: ['src/entries/journal/postgres-store.ts'],
    tests: ['test/entries/journal/{postgres,postgres/statements}.test.ts'],
    least: 90,
  },
  masking: {
    mutate: [
      'src/testing/**/mask/masked.ts',
      'src/testing/**/mask/persons.ts',
      'src/testing/**/mask/addresses.ts#addressFinder,formsOf',
      'src/testing/**/mask/hide.ts#Hiding,replaced,inAll',
      'src/testing/**/mask/tokens.ts#withoutToken,withoutTokensIn,dataOf,isBlock',
    ],
    tests: ['test/testing/**/mask/{texts,masked,masked-report,persons}.test.ts'],
    least: 90,
  },
  diagnose: {
    mutate: [
      'src/entries/diagnose/why-no-mail.ts#guardReasons,domainReasons,suppressionReasons,contactOf,whyNoMail',
    ],
    tests: ['test/entries/diagnose/{records,why-no-mail}.test.ts'],
    least: 90,
  },
};
