import { pack } from './packed.ts';

// npm run tarball: builds and packs the package, unless that has been done with the same files.
process.stdout.write(`${pack()}\n`);
