import { existsSync } from 'node:fs';

/** The source of an entry of the package, under src and without extension: `redis/index` is `entries/redis/index`. */
export const sourceOf = (entry) => (existsSync(`src/entries/${entry}.ts`) ? `entries/${entry}` : entry);
