import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The names an entry exports, types among them. */
function exportsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8').replace(/\/\*[^]*?\*\//g, '');
  return [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.replace(/\btype\b/, '').trim())
    .filter((name) => name !== '')
    .sort();
}

// Every exported name has to be kept in later versions, so a new one is added on purpose, for a user's need.
test.each(['index', 'redis/index', 'bottleneck/index', 'webhooks/index'])(
  'the names that %s exports',
  (entry) => {
    expect(exportsOf(`src/${entry}.ts`)).toMatchSnapshot();
  },
);
