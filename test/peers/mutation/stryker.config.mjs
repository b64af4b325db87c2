import { AREAS } from './areas.mjs';
import { placesOf } from './places.mjs';

const { [process.env.MUTATION_AREA ?? '']: area } = AREAS;
if (area === undefined) throw new Error('MUTATION_AREA names no area: `npm run mutation` sets it');

/**
 * Changes the code of an area, one place at a time, and counts how many changes its tests notice.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/peers/mutation/vitest.config.ts' },
  mutate: placesOf(area),
  // Words in messages are not what these files decide; a hint has tests of its own.
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 95, low: 90, break: area.least },
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: `.tmp/mutation/${process.env.MUTATION_AREA}.html` },
  jsonReporter: { fileName: `.tmp/mutation/${process.env.MUTATION_AREA}.json` },
  // Its comment in every file would change the expected files of tests.
  disableTypeChecks: false,
  tempDirName: `.tmp/mutation/sandbox-${process.env.MUTATION_AREA}`,
  ignorePatterns: ['dist', 'docs/reference', '.tmp', 'test/peers/*/node_modules'],
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
  // Long, because a mutant that is only slow on a busy machine would count as noticed.
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 15,
};
