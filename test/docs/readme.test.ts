import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { resourceMethods } from '../support/resource-methods.ts';
import { guides, root } from './snippets.ts';

const readme = readFileSync(`${root}README.md`, 'utf8');
const client = new EmailPlatform(createEmulator().clientOptions());

/** The names in the second cell of a row of "What it does". */
const namedInRow = (resource: string): string[] => {
  const cell = new RegExp(`^\\| \`${resource}\` +\\|([^|]+)\\|`, 'm').exec(readme)?.[1] ?? '';
  return [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);
};

describe('The README names', () => {
  test('every resource, and each of its methods', () => {
    const methods = resourceMethods(client).map(({ name }) => name);
    const resources = [...new Set(methods.map((name) => name.replace(/\..*/, '')))];
    expect(resources).toContain('campaigns');
    const named = resources.flatMap((name) => namedInRow(name).map((method) => `${name}.${method}`));
    expect(named.sort()).toEqual(methods.sort());
    expect(namedInRow('limits').sort()).toEqual(Object.keys(client.limits).sort());
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
