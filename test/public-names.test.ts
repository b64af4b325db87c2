import * as library from 'email-platform';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { resourceMethods } from './support/resource-methods.ts';

const root = join(import.meta.dirname, '..');

/** The names a file exports, types among them. */
function exportsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8').replace(/\/\*[^]*?\*\//g, '');
  const own = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.replace(/\btype\b/, '').trim())
    .filter((name) => name !== '');
  const declared = [...text.matchAll(/^export (?:class|const|function|interface|type) (\w+)/gm)];
  const others = [...text.matchAll(/export \* from '([^']+)'/g)];
  return [
    ...own,
    ...declared.map(([, name = '']) => name),
    ...others.flatMap(([, file = '']) => exportsOf(join(dirname(path), file))),
  ].sort();
}

/** The classes of a client's groups of methods. Which groups there are is said by `spec/surface.ts` and docs/methods.md. */
function classesOfGroups(): string[] {
  const client = new library.EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
  const { Organizations, Sandbox, Inbound } = library;
  // Groups without methods of their own.
  const parents = [Organizations, Sandbox, Inbound].map(({ name }) => name);
  return [...parents, ...resourceMethods(client).map(({ resource }) => resource.constructor.name)];
}

// Every exported name has to be kept in later versions, so a new one is added on purpose, for a user's need.
test.each([
  'index',
  'entries/redis/index',
  'entries/bottleneck/index',
  'entries/webhooks/index',
  'entries/journal/index',
  'entries/nodemailer/index',
  'entries/opentelemetry/index',
  'entries/templates/index',
  'entries/proxy/index',
  'entries/diagnose/index',
])('the names that %s exports, besides the classes of groups of methods', (entry) => {
  const classes = classesOfGroups();
  expect(exportsOf(`src/${entry}.ts`).filter((name) => !classes.includes(name))).toMatchSnapshot();
});

test('the class of every group of methods is exported', () => {
  const exported = exportsOf('src/index.ts');
  expect(classesOfGroups().filter((name) => !exported.includes(name))).toEqual([]);
  expect(classesOfGroups().filter((name) => !(name in library))).toEqual([]);
});
