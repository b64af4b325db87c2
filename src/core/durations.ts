/** The longest time a timer can wait; beyond it, it would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** What is wrong with a duration, if anything. */
export const durationRule = (ms: unknown): string | undefined =>
  typeof ms === 'number' && ms > 0 && ms <= MAX_TIMER_MS
    ? undefined
    : `must be a number of milliseconds, more than 0 and at most ${MAX_TIMER_MS}`;
