// What the build really put into the package, of whom.
import { readdirSync, readFileSync } from 'node:fs';

/** Where the build leaves the list of files that each entry bundled, with their sizes; see tsup.config.ts. */
const BUNDLED = '.tmp/bundled';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Every package whose code or types are in `dist`: the folder it is installed in, and its own package.json. */
export function bundledPackages() {
  const folders = new Set();
  for (const file of readdirSync(BUNDLED)) {
    for (const [path, bytes] of Object.entries(read(`${BUNDLED}/${file}`))) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
      if (folder !== undefined && bytes > 0) folders.add(folder);
    }
  }
  // Types are copied into the declarations, which no bundler's metafile tells of.
  const sources = readdirSync('src', { recursive: true }).filter((name) => name.endsWith('.ts'));
  if (sources.some((name) => readFileSync(`src/${name}`, 'utf8').includes("from 'type-fest'"))) {
    folders.add('node_modules/type-fest');
  }
  return [...folders].sort().map((folder) => ({ folder, manifest: read(`${folder}/package.json`) }));
}
