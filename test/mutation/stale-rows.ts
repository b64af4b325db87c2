import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mistake } from './mistakes.ts';

const root = join(import.meta.dirname, '../..');

/** The rows whose text does not stand exactly once in its file, or whose tests are gone, in words. */
export const staleRows = (mistakes: readonly Mistake[]): string[] =>
  mistakes.flatMap(({ what, file, text, replacement, tests }) => {
    const path = join(root, 'src', file);
    const times = existsSync(path) ? readFileSync(path, 'utf8').split(text).length - 1 : 0;
    return [
      ...(times === 1 ? [] : [`"${what}": its text stands ${times} times in src/${file}: ${text}`]),
      ...(text === replacement ? [`"${what}" changes nothing`] : []),
      ...tests
        .filter((one) => !existsSync(join(root, 'test', one)))
        .map((one) => `"${what}": test/${one} does not exist`),
    ];
  });
