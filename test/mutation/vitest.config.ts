import { defineConfig } from 'vitest/config';
import { alias } from '../../vitest.config.ts';

/** The tests that are to notice when one of the mutated files is wrong: the direct ones, as the matrices take long. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/{call,core,http,retry,throttle}/*.test.ts'],
    // Some use real sockets, and the machine is busy.
    testTimeout: 10_000,
  },
});
