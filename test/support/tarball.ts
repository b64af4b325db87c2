import { pack } from './packed.ts';

// npm run tarball: builds and packs the package, unless a tarball of the same files exists.
process.stdout.write(`${pack()}\n`);
