import { defineConfig } from 'vitest/config';
import { alias } from '../../vitest.config.ts';

/** The package under other runtimes: hundreds of megabytes to install, so no part of `npm test`. */
export default defineConfig({
  resolve: { alias },
  test: {
    name: 'runtimes',
    include: ['test/runtimes/*.test.ts'],
    globalSetup: ['test/runtimes/setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
