import { pack, packJavaScript } from './packed.ts';

// npm run tarball: builds and packs the package, unless a tarball of the same files exists. npm run
// tarball:javascript: without declarations.
process.stdout.write(`${process.argv.includes('--javascript') ? packJavaScript() : pack()}\n`);
