import { afterEach, beforeAll, beforeEach, vi } from 'vitest';

/** How much time passes at once. */
const STEP_MS = 20;

/** In the tests of this file time stands still, for every library, unless a test lets it pass. */
export function useFakeTime(): void {
  // What a client loads with its first call takes real time, in which much fake time would pass.
  beforeAll(() => Promise.all([import('ky'), import('p-retry')]));
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Lets time pass, a little at a time because real work goes on meanwhile, until a promise settles. */
export async function throughTime<T>(promise: PromiseLike<T>): Promise<T> {
  let isSettled = false;
  const settled = Promise.resolve(promise).finally(() => (isSettled = true));
  settled.catch(() => undefined);
  for (let steps = 0; steps < 100_000; steps += 1) {
    if (isSettled as boolean) return settled;
    await vi.advanceTimersByTimeAsync(STEP_MS);
  }
  throw new Error('It never settled.');
}

/** Lets so many milliseconds pass. */
export const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
