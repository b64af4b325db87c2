/**
 * Whether everything is tried, as `npm run test:all` does with `TEST_ALL=1`. Without it, `npm test` tries a part that
 * covers each method, fault and place at least once.
 */
export const isFull = process.env.TEST_ALL !== undefined;

/** Whether `npm test` was green just before (`TEST_ALL=rest`): what it runs in full already is left out. */
export const isRest = process.env.TEST_ALL === 'rest';

/** How often a property is tried: so often in full, and otherwise a tenth of that. */
export const runs = (full: number): number => (isFull ? full : Math.ceil(full / 10));

/** Determines everything that tests do at random, where the variable `TEST_SEED` gives a number. */
export const SEED: number | undefined =
  process.env.TEST_SEED === undefined ? undefined : Number(process.env.TEST_SEED);
