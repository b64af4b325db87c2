import { defineConfig } from 'vitest/config';

/** The reference as it is built: the compiler takes its time, so no part of `npm test`. */
export default defineConfig({
  test: {
    name: 'reference',
    include: ['test/reference/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
