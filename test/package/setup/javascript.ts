import type { TestProject } from 'vitest/node';
import { packJavaScript } from '../../support/packed.ts';
import { provideConsumers } from './consumers.ts';

/** For tests that read no declarations: these need not wait for them. */
export default (project: TestProject): (() => void) => provideConsumers(project, packJavaScript());
