import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { alias } from '../../../vitest.config.ts';

/** For a copy of the tests with another version of a peer: see tree.ts. */
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/peers/**'],
    // Some measure real time.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
