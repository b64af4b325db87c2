import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The names a file exports, types among them. */
export function exportsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8').replace(/\/\*[^]*?\*\//g, '');
  const own = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.replace(/\btype\b/, '').trim())
    .filter((name) => name !== '');
  const declared = [...text.matchAll(/^export (?:class|const|declare enum|function|interface|type) (\w+)/gm)];
  const others = [...text.matchAll(/export (?:type )?\* from '([^']+)'/g)];
  return [
    ...own,
    ...declared.map(([, name = '']) => name),
    ...others.flatMap(([, file = '']) => exportsOf(join(dirname(path), file))),
  ].sort();
}

/** The names in the namespace beside a class or an interface, as programs write them. */
export function namesOfNamespace(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const [, names = ''] = /declare namespace \w+ \{[^{]*export type \{([^}]*)\}/.exec(text) ?? [];
  return [...names.matchAll(/(\w+),/g)].map(([, name = '']) => name);
}
