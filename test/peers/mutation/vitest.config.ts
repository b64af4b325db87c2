import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import { alias } from '../../../vitest.config.ts';

/** In this order: a mutant is done with at the first test that fails, and in virtual time none has to be waited for. */
const FOLDERS = ['throttle', 'core', 'journal', 'resources/sending', 'transport'];

class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      FOLDERS.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** The tests that are to notice when one of the mutated files is wrong: the direct ones, as the matrices take long. */
export default defineConfig({
  resolve: { alias },
  test: {
    include: FOLDERS.map((folder) => `test/${folder}/*.test.ts`),
    sequence: { sequencer: QuickestFirst },
    // Some use real sockets, one runs a linter, and the machine may be busy.
    testTimeout: 60_000,
  },
});
