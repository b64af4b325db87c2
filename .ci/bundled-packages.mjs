// The packages whose code or types the build bundled.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * The folder with a list for each built file: the files bundled into it, with their sizes. `tsup.config.ts` writes
 * the lists for JavaScript.
 */
const BUNDLED = '.tmp/bundled';

/** Writes the list of one built file. */
export function recordBundled(name, inputs) {
  mkdirSync(BUNDLED, { recursive: true });
  const sizes = inputs.map(([path, bytes]) => [relative('.', path), bytes]);
  writeFileSync(
    `${BUNDLED}/${name.replaceAll('/', '-')}.json`,
    JSON.stringify(Object.fromEntries(sizes), null, 1),
  );
}

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
  return [...folders].sort().map((folder) => ({ folder, manifest: read(`${folder}/package.json`) }));
}
