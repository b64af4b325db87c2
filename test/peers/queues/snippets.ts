import { readFileSync } from 'node:fs';
import { extract, root, write, type Snippet } from '../../docs/snippets.ts';

const file = 'docs/queues.md';

/** The programs of the guide, as files from which the packages of this folder are found. */
export const snippets = write(
  extract(file, readFileSync(root + file, 'utf8')).filter(({ peer }) => peer === 'queues'),
  `${import.meta.dirname}/.tmp/`,
);

/** Whether it is a program that runs until it is told to end. */
export const isWorker = ({ code }: Snippet): boolean => code.startsWith('// worker.ts');

/** A program of the guide, found by a package that it uses, and by what it is. */
export function programOf(library: 'bullmq' | 'pg-boss', name: 'worker.ts' | 'settle.ts'): string {
  const found = snippets.find(
    ({ code }) => code.startsWith(`// ${name}`) && code.includes(`from '${library}'`),
  );
  if (found === undefined) throw new Error(`The guide has no ${name} for ${library}`);
  return found.path;
}
