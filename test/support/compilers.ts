import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFull } from './extent.ts';
import { root } from './packed.ts';

const { dependencies } = JSON.parse(
  readFileSync(join(root, 'test/peers/typescript/package.json'), 'utf8'),
) as { readonly dependencies: Readonly<Record<string, string>> };

/** Every compiler of `test/peers/typescript`, oldest first: the first is the oldest one that the package is for. */
const all = Object.keys(dependencies);

export const versionOf = (compiler: string): number => Number(compiler.replace('typescript-', ''));
export const OLDEST_VERSION = String(versionOf(all[0] ?? ''));

/** The compilers to test with: the oldest one, and the newest one of each major version; in full, all. */
export const COMPILERS = all.filter((compiler, index) => {
  const next = all[index + 1];
  const isNewest = next === undefined || Math.floor(versionOf(next)) > Math.floor(versionOf(compiler));
  return isFull || index === 0 || isNewest;
});
