import type { TestProject } from 'vitest/node';
import { pack } from '../../support/packed.ts';
import { provideConsumers } from './consumers.ts';

/** For tests of the package as it is published. */
export default (project: TestProject): (() => void) => provideConsumers(project, pack());
