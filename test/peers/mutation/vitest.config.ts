import { defineConfig } from 'vitest/config';
import { alias } from '../../../vitest.config.ts';

export default defineConfig({
  resolve: { alias },
  test: {
    // The tests of the area that is mutated: `npm run mutation` sets the variable.
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]') as string[],
    // Some use real sockets, and the machine may be busy.
    testTimeout: 20_000,
    // Postgres in the process starts in one. Without its hook, tests are skipped, and their mutations count as not covered.
    hookTimeout: 60_000,
  },
});
