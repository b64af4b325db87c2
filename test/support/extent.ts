/**
 * Whether all cases run, as in `npm run test:all` with `TEST_ALL=1`. Without it, `npm test` runs a part that covers
 * each method, fault and place at least once.
 */
export const isFull = process.env.TEST_ALL !== undefined;

/** Whether every combination runs, as only `npm run test:all` does: `.ci/run` has to end within 20 minutes. */
export const isEvery = process.env.TEST_ALL === '1';

/** Whether `npm test` has just passed (`TEST_ALL=rest`): tests that it ran in full are left out. */
export const isRest = process.env.TEST_ALL === 'rest';

/** The number of runs of a property: `runs` in full, otherwise a tenth of it. */
export const runs = (full: number): number => (isFull ? full : Math.ceil(full / 10));

/** The seed of all random tests, if the variable `TEST_SEED` has a number. */
export const SEED: number | undefined =
  process.env.TEST_SEED === undefined ? undefined : Number(process.env.TEST_SEED);
