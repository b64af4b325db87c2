import { defineConfig } from 'vitest/config';
import { alias } from '../../../vitest.config.ts';
import { AREAS } from './areas.mjs';

/** The tests of the area that is mutated. */
const { tests } = AREAS[process.env.MUTATION_AREA as keyof typeof AREAS];

export default defineConfig({
  resolve: { alias },
  // Some use real sockets, and the machine may be busy.
  test: { include: tests, testTimeout: 60_000 },
});
