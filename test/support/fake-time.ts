import { afterEach, beforeAll, beforeEach, vi } from 'vitest';

/** Milliseconds in one step. */
const STEP_MS = 20;

/** Stops time in the tests of a file, for every library. Only `pass` and `throughTime` advance it. */
export function useFakeTime(): void {
  // Loads the modules of a client's first call: that takes real time, during which much fake time would pass.
  beforeAll(() => Promise.all([import('../../src/transport/runtimes/load-ky.ts'), import('p-retry')]));
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Advances time in small steps until a promise settles. Real work continues between the steps. */
export async function throughTime<T>(promise: PromiseLike<T>): Promise<T> {
  let isSettled = false;
  const settled = Promise.resolve(promise).finally(() => (isSettled = true));
  settled.catch(() => undefined);
  for (let steps = 0; steps < 100_000; steps += 1) {
    if (isSettled as boolean) return settled;
    await vi.advanceTimersByTimeAsync(STEP_MS);
  }
  throw new Error('The promise never settled.');
}

/** Advances time by `ms` milliseconds. */
export const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
