import { defineConfig } from 'vitest/config';
import { alias } from '../../vitest.config.ts';

/** The tests that are to notice when one of the mutated files is wrong. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/{attack,core,http,retry,throttle}/**/*.test.ts', 'test/call/*.test.ts'],
    exclude: ['test/attack/{fuzz,matrix}.test.ts'],
  },
});
