import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../support/packed.ts';

const COPIED = ['src', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

/** Names of the packages in a `node_modules`. */
const packagesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    );

/**
 * A copy of sources and tests in which a package is that of another folder, for tests and the processes that they start.
 * All other packages are links, except those in `users`, which import the package themselves.
 */
export function treeWith(name: string, peer: string, folder: string, users: readonly string[] = []): string {
  const tree = join(root, '.tmp/majors', name);
  rmSync(tree, { recursive: true, force: true });
  for (const part of COPIED)
    cpSync(join(root, part), join(tree, part), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
  const packages = join(root, 'node_modules');
  for (const each of packagesIn(packages)) {
    const to = join(tree, 'node_modules', each);
    mkdirSync(dirname(to), { recursive: true });
    const from = each === peer ? folder : join(packages, each);
    if (!existsSync(from)) throw new Error(`${from} is missing: node test/peers/install.mjs`);
    if (users.includes(each)) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to, 'junction');
  }
  return tree;
}
