import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { resourceMethods } from '../support/resource-methods.ts';
import { guides, root } from './snippets.ts';

const readme = readFileSync(`${root}README.md`, 'utf8');
const client = new EmailPlatform(createEmulator().clientOptions());

/** The names in the cells of a row of "What it does": methods, and groups of methods. */
const namedInRow = (resource: string): [methods: string[], groups: string[]] => {
  const cells = new RegExp(`^\\| \`${resource}\` +\\|([^|]+)\\|([^|]+)\\|`, 'm').exec(readme);
  const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  return [namesIn(cells?.[1]), namesIn(cells?.[2])];
};

describe('The README names', () => {
  test('every resource, each of its own methods, and no group that it does not have', () => {
    const methods = resourceMethods(client).map(({ name }) => name);
    const resources = [...new Set(methods.map((name) => name.replace(/\..*/, '')))];
    expect(resources).toContain('campaigns');
    for (const resource of resources) {
      const [named, groups] = namedInRow(resource);
      const own = methods.filter((name) => name.startsWith(`${resource}.`)).map((name) => name.split('.'));
      expect(named.sort()).toEqual(own.flatMap(([, name = '', inGroup]) => (inGroup ? [] : name)).sort());
      expect([...named, ...groups]).not.toEqual([]);
      for (const group of groups) expect(own.map(([, name, inGroup]) => inGroup && name)).toContain(group);
    }
    expect(namedInRow('limits')[0].sort()).toEqual(Object.keys(client.limits).sort());
  });

  test('every method of the client itself', () => {
    const own = Object.getOwnPropertyNames(EmailPlatform.prototype).filter((name) => name !== 'constructor');
    for (const name of own) expect(readme).toMatch(new RegExp(`^\\| \`${name}\` `, 'm'));
  });

  test('every guide and every example', () => {
    const examples = readdirSync(`${root}examples`).filter(
      (name) => name.endsWith('.ts') && name !== 'print.ts',
    );
    const files = [
      ...guides.filter((name) => name !== 'README.md'),
      ...examples.map((name) => `examples/${name}`),
    ];
    for (const file of files) expect(readme).toContain(`](${file})`);
  });
});
