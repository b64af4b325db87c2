import { buildSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { newerNode } from '../../support/databases.ts';
import { extract, root, write, type Snippet } from '../../docs/snippets.ts';

const file = 'docs/queues.md';

/** The programs of the guide, as files from which the packages of this folder are found. */
export const snippets = write(
  extract(file, readFileSync(root + file, 'utf8')).filter(({ peer }) => peer === 'queues'),
  `${import.meta.dirname}/.tmp/`,
);

/** Whether it is a program that runs until it is told to end. */
export const isWorker = ({ code }: Snippet): boolean => code.startsWith('// worker.ts');

/** The Node for programs with pg-boss, which needs 22.12. */
export const nodeForPgBoss = newerNode();
if (nodeForPgBoss === undefined)
  process.stderr.write(
    '\n*** The tests of pg-boss are SKIPPED: `node test/peers/install.mjs newer-node` installs its Node\n',
  );

export const usesPgBoss = (code: string): boolean => code.includes("from 'pg-boss'");

/** The Node that runs a program. */
export const nodeOf = (path: string): string =>
  (usesPgBoss(readFileSync(path, 'utf8')) ? nodeForPgBoss : undefined) ?? process.execPath;

/** A program of the guide, found by a package that it uses, and by what it is. */
export function programOf(library: 'bullmq' | 'pg-boss', name: 'worker.ts' | 'settle.ts'): string {
  const found = snippets.find(
    ({ code }) => code.startsWith(`// ${name}`) && code.includes(`from '${library}'`),
  );
  if (found === undefined) throw new Error(`The guide has no ${name} for ${library}`);
  return found.path;
}

/** A program in one file, beside it: its process starts in a quarter of the time that tsx takes. */
export function inOneFile(path: string): string {
  const outfile = path.replace(/\.ts$/, '.mjs');
  buildSync({
    entryPoints: [path],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    tsconfig: `${root}tsconfig.json`,
  });
  return outfile;
}
