import * as library from 'email-platform';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportsOf, namesOfNamespace } from './support/exported-names.ts';
import { resourceMethods } from './support/resource-methods.ts';

const CHANGELOG = join(import.meta.dirname, '../CHANGELOG.md');

/** The classes of a client's groups of methods. Which groups there are is said by `spec/surface.ts` and docs/methods.md. */
function classesOfGroups(): string[] {
  const client = new library.EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
  // Groups without methods of their own.
  const parents = [client.organizations, client.sandbox, client.inbound];
  return [...parents, ...resourceMethods(client).map(({ resource }) => resource)].map(
    ({ constructor }) => constructor.name,
  );
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
  'testing/index',
])('the names that %s exports', (entry) => {
  expect(exportsOf(`src/${entry}.ts`)).toMatchSnapshot();
});

test.each([
  ['EmailPlatform', 'client/client'],
  ['Emulator', 'testing/emulator/controls/emulator-types'],
])('the types in the namespace %s', (_, file) => {
  expect(namesOfNamespace(`src/${file}.ts`)).toMatchSnapshot();
});

test('the root has few names, and few of them are words of an application', () => {
  const values = Object.keys(library);
  const names = exportsOf('src/index.ts');
  expect(values.filter((name) => !names.includes(name))).toEqual([]);
  expect(values.length).toBeLessThanOrEqual(32);
  expect(names.length - values.length).toBeLessThanOrEqual(60);
  expect(names.filter((name) => /^[A-Z][a-z]+$/.test(name))).toEqual(['Journal', 'Pager', 'Throttle']);
});

test("every type is reached in one way: by its own name, or from the client's", () => {
  const exported = exportsOf('src/index.ts');
  const inNamespace = namesOfNamespace('src/client/client.ts');
  const all = [...exportsOf('src/client/types.ts'), ...classesOfGroups(), 'ClientLimits'];
  expect(inNamespace.filter((name) => exported.includes(name))).toEqual([]);
  expect(inNamespace.filter((name) => !all.includes(name))).toEqual([]);
  expect(all.filter((name) => !exported.includes(name) && !inNamespace.includes(name))).toEqual([]);
});

test('the entries export every name that the changelog promises', () => {
  const [, promised = ''] = /### Promised\n([^]*?)\n### /.exec(readFileSync(CHANGELOG, 'utf8')) ?? [];
  const lists = promised
    .split('\n- ')
    .slice(1)
    .map((line) => [...line.matchAll(/`([\w/-]+)`/g)].map(([, name = '']) => name));
  const names = lists.flatMap(([, ...list]) => list);
  expect(names).not.toEqual([]);
  expect(names.length).toBeLessThan(45);
  for (const [entry = '', ...list] of lists) {
    const room = entry.replace('email-platform', '').replace(/^\/(?!testing)/, '/entries/');
    const exported = exportsOf(`src${room}/index.ts`);
    expect([entry, list.filter((name) => !exported.includes(name))]).toEqual([entry, []]);
  }
  // Every error that a call may throw is promised.
  expect(Object.keys(library).filter((name) => name.endsWith('Error') && !names.includes(name))).toEqual([]);
});
