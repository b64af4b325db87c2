import fc from 'fast-check';
import { SEED } from './extent.ts';

// Without a seed, every run tries other cases, and a failure prints how to repeat its own.
if (SEED !== undefined) fc.configureGlobal({ seed: SEED });
