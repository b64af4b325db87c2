import { pack, packJavaScript } from './packed.ts';

// npm run tarball: builds and packs the package, unless that has been done with the same files. npm run
// tarball:javascript: the same without declarations.
process.stdout.write(`${process.argv.includes('--javascript') ? packJavaScript() : pack()}\n`);
