/**
 * Whether all cases run, as in `npm run test:all` (`TEST_ALL=1`). Without it, `npm test` and `.ci/run` run a part that
 * covers each method, fault and place at least once.
 */
export const isFull = process.env.TEST_ALL === '1';

/** Whether `npm test` has just passed (`TEST_ALL=rest`, as in `.ci/run`): the projects that it ran are left out. */
export const isRest = process.env.TEST_ALL === 'rest';

/** The number of runs of a property: `runs` in full, otherwise a tenth of it. */
export const runs = (full: number): number => (isFull ? full : Math.ceil(full / 10));

/** A size for tests whose time grows with it: `full` in full, otherwise one that shows the same. */
export const sized = (full: number, otherwise: number): number => (isFull ? full : otherwise);

/** The seed of all random tests, if the variable `TEST_SEED` has a number. */
export const SEED: number | undefined =
  process.env.TEST_SEED === undefined ? undefined : Number(process.env.TEST_SEED);
