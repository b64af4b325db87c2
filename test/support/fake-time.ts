import { afterEach, beforeAll, beforeEach, vi } from 'vitest';

/** Milliseconds in one step. */
const STEP_MS = 20;

/** Stops time in the tests of a file, for every library; it passes only through `pass` and `throughTime`. */
export function useFakeTime(): void {
  // Loads what a client loads with its first call: that takes real time, in which much fake time would pass.
  beforeAll(() => Promise.all([import('../../src/transport/load-ky.ts'), import('p-retry')]));
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Lets time pass in small steps, because real work goes on meanwhile, until a promise settles. */
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

/** Lets `ms` milliseconds pass. */
export const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
