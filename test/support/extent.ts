/**
 * Whether everything is tried, as `npm run test:all` does with the variable `TEST_ALL`. Without it, `npm test` tries a
 * part that covers each method, fault and place at least once.
 */
export const isFull = process.env.TEST_ALL === '1';

/** How often a property is tried: so often in full, and otherwise a tenth of that. */
export const runs = (full: number): number => (isFull ? full : Math.ceil(full / 10));

/** Determines everything that tests do at random, where the variable `TEST_SEED` gives a number. */
export const SEED: number | undefined =
  process.env.TEST_SEED === undefined ? undefined : Number(process.env.TEST_SEED);
