import { traced } from './tracing.mjs';

console.log(JSON.stringify(await traced()));
